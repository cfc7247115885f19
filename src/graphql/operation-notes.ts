import { getOperationAST, type DocumentNode, type ExecutionArgs, type GraphQLError } from 'graphql';
import type { ErrorCode } from '../errors.js';
import type { EndedOperation } from './operation-observer.js';

/** What is noted about the operation of a request on its way, for whoever watches. */
export class OperationNotes {
  #document: DocumentNode | undefined;
  #name: string | null | undefined;
  #codes: ErrorCode[] = [];
  #shed = false;

  /** It is run now. */
  run({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>): void {
    this.#document = document;
    this.#name = operationName;
  }

  /** These errors are answered; the last call counts. */
  answered(errors: readonly GraphQLError[]): void {
    this.#codes = errors.map(({ extensions }) => extensions['code'] as ErrorCode); // of the error mapping
  }

  /** It is refused because there is more to do than can be done. */
  refusedAsBusy(): void {
    this.#shed = true;
  }

  /** All that is known at the end. */
  end(): EndedOperation {
    const operation = this.#document && getOperationAST(this.#document, this.#name);
    return { name: operation?.name?.value, type: operation?.operation, codes: this.#codes, shed: this.#shed };
  }
}
