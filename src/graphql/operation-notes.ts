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
  readonly type: EndedOperation['type'];
  readonly logged: SharedFields;
}

/** What the log says of many requests alike. One object for all of them, so that it is turned into text once. */
export interface SharedFields {
  /** Beginning of the operation's name, if it has one. */
  readonly operation?: string | undefined;
  /** Names of its root fields, each once. */
  readonly rootFields?: readonly string[];
  /** Number of errors that the caller is shown. */
  readonly errors?: number;
  /** Their codes, each once. */
  readonly codes?: readonly ErrorCode[];
}

const BUSY_CODES: readonly ErrorCode[] = ['ServiceUnavailable'];

/** Many come in little time, and each takes it from those that are answered. */
const REFUSED_AS_BUSY: SharedFields = { errors: BUSY_CODES.length, codes: BUSY_CODES };

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

  /** It is refused because there is more to do than can be done, and nothing is run. */
  refusedAsBusy(): void {
    this.#shed = true;
    this.#codes = BUSY_CODES;
  }

  /** All that is known at the end. */
  end(): EndedOperation {
    return { name: this.#operation?.name, type: this.#operation?.type, codes: this.#codes, shed: this.#shed };
  }

  // For the log, each by itself: putting them into one object first took longer than everything else here.

  /** What many requests have in common with it; undefined when nothing was run, unless that is because of the load. */
  get shared(): SharedFields | undefined {
    return this.#shed ? REFUSED_AS_BUSY : this.#operation?.logged;
  }

  /** Number of errors that the caller is shown, where it is not shared. */
  get errors(): number | undefined {
    return this.#shed ? undefined : this.#codes.length;
  }

  /** Their codes, each once; undefined without any, and where they are shared. */
  get codes(): readonly ErrorCode[] | undefined {
    return this.#shed || this.#codes.length === 0 ? undefined : [...new Set(this.#codes)];
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
  const logged = { operation: name?.slice(0, MAX_NAME), rootFields: [...rootFields] };
  const found = { name, type: operation.operation, logged };
  described.set(operation, found);
  return found;
}
