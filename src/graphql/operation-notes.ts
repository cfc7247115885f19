import {
  getOperationAST,
  Kind,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { ErrorCode } from '../errors.js';
import type { EndedOperation } from './operation-observer.js';

/** Characters of a name that are logged; a document may be almost as long as a body. */
const MAX_NAME = 100;

interface Described {
  readonly name: string | undefined;
  /** As much of it as is logged. */
  readonly shownName: string | undefined;
  readonly type: EndedOperation['type'];
  readonly rootFields: readonly string[];
}

/** Operations of documents that are kept: each is looked through once. */
const described = new WeakMap<OperationDefinitionNode, Described>();

/** What is noted about the operation of a request on its way, for the log and for whoever watches. */
export class OperationNotes {
  #operation: Described | undefined;
  #codes: readonly ErrorCode[] = [];
  #jobIds: readonly string[] = [];
  #shed = false;

  /** It is run now; its document is valid. */
  run({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>): void {
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    this.#operation = described.get(operation) ?? describe(operation, document);
  }

  /** It has started a job. */
  started(jobId: string): void {
    this.#jobIds = [...this.#jobIds, jobId];
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
    return { name: this.#operation?.name, type: this.#operation?.type, codes: this.#codes, shed: this.#shed };
  }

  // For the log, each by itself: putting them into one object first took longer than everything else here.

  /** Name of the operation, if it has one; undefined as well when nothing was run. */
  get operation(): string | undefined {
    return this.#operation?.shownName;
  }

  /** Names of its root fields, each once; undefined when nothing was run. */
  get rootFields(): readonly string[] | undefined {
    return this.#operation?.rootFields;
  }

  /** Number of errors that the caller is shown. */
  get errors(): number {
    return this.#codes.length;
  }

  /** Their codes, each once; undefined without any. */
  get codes(): readonly ErrorCode[] | undefined {
    return this.#codes.length > 0 ? [...new Set(this.#codes)] : undefined;
  }

  /** The job that it started. */
  get jobId(): string | undefined {
    return this.#jobIds.length === 1 ? this.#jobIds[0] : undefined;
  }

  /** The same when there are several. */
  get jobIds(): readonly string[] | undefined {
    return this.#jobIds.length > 1 ? this.#jobIds : undefined;
  }
}

function describe(operation: OperationDefinitionNode, { definitions }: DocumentNode): Described {
  const rootFields = new Set<string>();
  const entered = new Set<string>();
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) rootFields.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet);
      else enter(selection.name.value);
    }
  };
  const enter = (fragment: string): void => {
    if (entered.has(fragment)) return;
    entered.add(fragment);
    for (const definition of definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION || definition.name.value !== fragment) continue;
      walk(definition.selectionSet);
    }
  };
  walk(operation.selectionSet);
  const name = operation.name?.value;
  const shownName = name?.slice(0, MAX_NAME);
  const found = { name, shownName, type: operation.operation, rootFields: [...rootFields] };
  described.set(operation, found);
  return found;
}
