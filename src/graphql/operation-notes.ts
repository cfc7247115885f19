import {
  getOperationAST,
  Kind,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { ERROR_STATUS, type ErrorCode } from '../error-table.js';

/** End of a GraphQL request. */
export interface EndedOperation {
  /** Beginning of the name in the document, untrusted; undefined if unnamed or if nothing was run. */
  readonly name: string | undefined;
  /** Undefined if the request was refused and nothing was run. */
  readonly type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Code of each error in the reply. */
  readonly codes: readonly ErrorCode[];
  /** True if every error of ours or of a dependency left out a field within an answer, which has the rest. */
  readonly incomplete: boolean;
  /** True if refused because of load. */
  readonly shed: boolean;
  /** True if the client disconnected before the end. */
  readonly abandoned: boolean;
}

declare module '../observation.js' {
  interface ObservedWork {
    /** A GraphQL request, from its arrival to the reply. */
    operation: Observed<undefined, EndedOperation>;
  }
}

/** Length limit of a noted name in characters; a name in a document may be almost as long as a body. */
const MAX_NAME = 100;

interface Described {
  readonly name: string | undefined;
  readonly type: EndedOperation['type'];
  readonly logged: SharedFields;
}

/** Log fields that many requests share, in one object, so that they are serialized once. */
export interface SharedFields {
  /** Beginning of the operation's name, if named. */
  readonly operation?: string | undefined;
  /** Distinct names of the root fields. */
  readonly rootFields?: readonly string[];
  /** Number of errors in the reply. */
  readonly errors?: number;
  /** Distinct error codes. */
  readonly codes?: readonly ErrorCode[];
}

/** Codes of refusals that a crowd of requests may cause. */
const CROWD_CODES: ReadonlySet<ErrorCode> = new Set(['TooManyRequests', 'UnAuthenticated']);

const BUSY_CODES: readonly ErrorCode[] = ['ServiceUnavailable'];

/** A constant, because refusals come in bursts and each costs time of accepted operations. */
const REFUSED_AS_BUSY: SharedFields = { errors: BUSY_CODES.length, codes: BUSY_CODES };

/** Descriptions of operations in cached documents, so that each is walked once. */
const described = new WeakMap<OperationDefinitionNode, Described>();

/** Notes on the operation of a request, collected for the log and observers. */
export class OperationNotes {
  #operation: Described | undefined;
  #codes: readonly ErrorCode[] = [];
  #jobIds: readonly string[] = [];
  #incomplete = false;
  #shed = false;
  /** Organisation of the authenticated user. */
  org: string | undefined;

  /** Notes the start of execution; the document is valid. */
  run({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>): void {
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    this.#operation = described.get(operation) ?? describe(operation, document);
  }

  /** Notes a job that the operation started. */
  started(jobId: string): void {
    this.#jobIds = [...this.#jobIds, jobId];
  }

  /** Notes the errors of the reply; the last call counts. */
  answered(errors: readonly GraphQLError[]): void {
    this.#codes = errors.map(codeOf);
    this.#incomplete = errors.every((error) => {
      const code = codeOf(error);
      return ERROR_STATUS[code] < 500 || (code === 'ServiceUnavailable' && (error.path?.length ?? 0) > 1);
    });
  }

  /** Notes a refusal because of load; the operation does not run. */
  refusedAsBusy(): void {
    this.#shed = true;
    this.#codes = BUSY_CODES;
  }

  /** Returns the notes for observers, at the end of the request. @param abandoned as in the result */
  end(abandoned: boolean): EndedOperation {
    return {
      name: this.#operation?.name,
      type: this.#operation?.type,
      codes: this.#codes,
      incomplete: this.#incomplete,
      shed: this.#shed,
      abandoned,
    };
  }

  // The log has separate getters, because building one object took longer than all the rest here.

  /** Shared log fields; undefined if nothing was run, except for a refusal because of load. */
  get shared(): SharedFields | undefined {
    return this.#shed ? REFUSED_AS_BUSY : this.#operation?.logged;
  }

  /** Number of errors in the reply; undefined if it is a shared field. */
  get errors(): number | undefined {
    return this.#shed ? undefined : this.#codes.length;
  }

  /** Distinct error codes; undefined without errors or if they are a shared field. */
  get codes(): readonly ErrorCode[] | undefined {
    return this.#shed || this.#codes.length === 0 ? undefined : [...new Set(this.#codes)];
  }

  /** Reason of a refusal that many requests of one client may have: `shed`, or a code. */
  get refusal(): string | undefined {
    return this.#shed ? 'shed' : this.#codes.find((code) => CROWD_CODES.has(code));
  }

  /** Id of the started job, if exactly one. */
  get jobId(): string | undefined {
    return this.#jobIds.length === 1 ? this.#jobIds[0] : undefined;
  }

  /** Ids of the started jobs, if several. */
  get jobIds(): readonly string[] | undefined {
    return this.#jobIds.length > 1 ? this.#jobIds : undefined;
  }
}

function codeOf({ extensions }: GraphQLError): ErrorCode {
  return extensions['code'] as ErrorCode; // set by the error mapping
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
  const name = operation.name && copyOf(operation.name.value.slice(0, MAX_NAME));
  const logged = { operation: name, rootFields: [...rootFields] };
  const found = { name, type: operation.operation, logged };
  described.set(operation, found);
  return found;
}

/** Copies a text, because V8 keeps the whole text from which it was cut. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
