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

/** What the log says about a GraphQL request. */
export interface OperationLine {
  /** Name of the operation, if it has one. */
  readonly operation: string | undefined;
  /** Names of its root fields, each once; undefined when nothing was run. */
  readonly rootFields: readonly string[] | undefined;
  /** Number of errors that the caller is shown. */
  readonly errors: number;
  /** Their codes, each once; undefined without any. */
  readonly codes: readonly ErrorCode[] | undefined;
  /** The job that it started. */
  readonly jobId?: string | undefined;
  /** The same when there are several. */
  readonly jobIds?: readonly string[];
}

/** Characters of a name that are logged; a document may be almost as long as a body. */
const MAX_NAME = 100;

interface Described {
  readonly name: string | undefined;
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

  /** The same, for the log. */
  line(): OperationLine {
    const operation = this.#operation?.name?.slice(0, MAX_NAME);
    const codes = this.#codes.length > 0 ? [...new Set(this.#codes)] : undefined;
    const about = { operation, rootFields: this.#operation?.rootFields, errors: this.#codes.length, codes };
    const [jobId] = this.#jobIds;
    return this.#jobIds.length > 1 ? { ...about, jobIds: this.#jobIds } : { ...about, jobId };
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
  const found = { name: operation.name?.value, type: operation.operation, rootFields: [...rootFields] };
  described.set(operation, found);
  return found;
}
