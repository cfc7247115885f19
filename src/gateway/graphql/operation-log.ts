import type { IncomingHttpHeaders } from 'node:http';
import {
  getOperationAST,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  type OperationDefinitionNode,
} from 'graphql';
import { ERROR_STATUS, type ErrorCode, type Reason } from '../../base/error-table.js';
import { collectFields, fragmentsOf } from './documents/collected-fields.js';

export interface EndedOperation {
  /** Beginning of the name in the document, untrusted; undefined if unnamed or if nothing was run. */
  readonly name: string | undefined;
  /** Name of the first root field; undefined if nothing was run. */
  readonly rootField: string | undefined;
  readonly hasUser: boolean;
  /** Undefined if nothing was run. */
  readonly type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Code of each error in the reply. */
  readonly codes: readonly ErrorCode[];
  /** Reason of each error, in the same order. */
  readonly reasons: readonly Reason[];
  /** True if every error of ours or of a dependency left out a field within an answer, which has the rest. */
  readonly incomplete: boolean;
  readonly shed: boolean;
  readonly abandoned: boolean;
  /** Client of a user whose token is valid; undefined without such a user. */
  readonly client: NamedClient | undefined;
}

/** A front end as it names itself in the headers of a request, untrusted; empty where it does not. */
export interface NamedClient {
  readonly name: string;
  readonly version: string;
}

const MAX_CLIENT = 64;

/** Returns the client that headers name, in our names or in those of Apollo Client. */
export function clientIn(headers: IncomingHttpHeaders): NamedClient | undefined {
  const named = (part: 'name' | 'version'): string =>
    String(headers[`x-client-${part}`] ?? headers[`apollographql-client-${part}`] ?? '').slice(0, MAX_CLIENT);
  const [name, version] = [named('name'), named('version')];
  return name === '' && version === '' ? undefined : { name, version };
}

declare module '../../base/observation.js' {
  interface ObservedWork {
    /** A GraphQL request, from its arrival to the reply. */
    operation: Observed<undefined, EndedOperation>;
  }
}

/** Length limit of a noted name in characters; a name in a document may be almost as long as a body. */
const MAX_NAME = 100;

type Described = ReturnType<typeof describe>;

/** Log fields that many requests share, in one object, so that they are serialized once. */
export interface SharedFields {
  readonly operation?: string | undefined;
  /** Distinct names. */
  readonly rootFields?: readonly string[];
  readonly errors?: number;
  readonly codes?: readonly ErrorCode[];
}

/** Codes of refusals that a crowd of requests may cause. */
const CROWD_CODES: ReadonlySet<ErrorCode> = new Set(['TooManyRequests', 'UnAuthenticated']);

/** A constant, because refusals come in bursts and each costs time of accepted operations. */
const REFUSED_AS_BUSY = { errors: 1, codes: ['ServiceUnavailable'] } as const;

/** Descriptions of operations in cached documents, so that each is walked once. */
const described = new WeakMap<OperationDefinitionNode, Described>();

/** Facts about the operation of a request, collected for the log and observers. */
export class OperationLog {
  #operation: Described | undefined;
  #codes: readonly ErrorCode[] = [];
  #reasons: readonly Reason[] = [];
  #jobIds: readonly string[] = [];
  #incomplete = false;
  #shed = false;
  /** Organisation of the authenticated user. */
  org: string | undefined;
  /** True if the token is still to be judged, because the operation is not in the list. */
  isUnlisted = false;

  constructor(readonly client?: NamedClient) {}

  /** Notes the start of execution; the document is valid. */
  run({ document, operationName }: Pick<ExecutionArgs, 'document' | 'operationName'>): void {
    const operation = getOperationAST(document, operationName);
    if (!operation) return;
    this.#operation = described.get(operation) ?? describe(operation, document);
  }

  started(jobId: string): void {
    this.#jobIds = [...this.#jobIds, jobId];
  }

  /** Notes the errors of the reply; the last call counts. */
  answered(errors: readonly GraphQLError[]): void {
    this.#codes = errors.map(codeOf);
    this.#reasons = errors.map(reasonIn);
    this.#incomplete = errors.every((error) => {
      const code = codeOf(error);
      return ERROR_STATUS[code] < 500 || (code === 'ServiceUnavailable' && (error.path?.length ?? 0) > 1);
    });
  }

  /** Notes a refusal because of load; the operation does not run. */
  refusedAsBusy(): void {
    this.#shed = true;
    this.#codes = REFUSED_AS_BUSY.codes;
    this.#reasons = ['Busy'];
  }

  /** Returns the notes for observers, at the end of the request. */
  end(abandoned: boolean): EndedOperation {
    const { name, type, logged } = this.#operation ?? {};
    return {
      name,
      rootField: logged?.rootFields[0],
      hasUser: this.org !== undefined,
      type,
      codes: this.#codes,
      reasons: this.#reasons,
      incomplete: this.#incomplete,
      shed: this.#shed,
      abandoned,
      client: this.org === undefined ? undefined : (this.client ?? { name: '', version: '' }),
    };
  }

  // The log has separate getters, because building one object took longer than all the rest here.

  /** Shared log fields; undefined if nothing was run, except for a refusal because of load. */
  get shared(): SharedFields | undefined {
    return this.#shed ? REFUSED_AS_BUSY : this.#operation?.logged;
  }

  /** These two are undefined if they are shared fields; the codes are distinct, and undefined without errors. */
  get errors(): number | undefined {
    return this.#shed ? undefined : this.#codes.length;
  }

  get codes(): readonly ErrorCode[] | undefined {
    return this.#shed || this.#codes.length === 0 ? undefined : [...new Set(this.#codes)];
  }

  /** Reason of a refusal that many requests of one client may have: `shed`, or a code. */
  get refusal(): string | undefined {
    return this.#shed ? 'shed' : this.#codes.find((code) => CROWD_CODES.has(code));
  }

  /** The started job, if exactly one; else the started jobs. */
  get jobId(): string | undefined {
    return this.#jobIds.length === 1 ? this.#jobIds[0] : undefined;
  }

  get jobIds(): readonly string[] | undefined {
    return this.#jobIds.length > 1 ? this.#jobIds : undefined;
  }
}

function codeOf({ extensions }: GraphQLError): ErrorCode {
  return extensions['code'] as ErrorCode; // set by the error mapping
}

function reasonIn({ extensions }: GraphQLError): Reason {
  return extensions['reason'] as Reason; // set beside the code
}

function describe(operation: OperationDefinitionNode, document: DocumentNode) {
  // A copy, because V8 keeps the whole text from which one was cut.
  const name = operation.name && Buffer.from(operation.name.value.slice(0, MAX_NAME)).toString();
  const fields = collectFields([operation.selectionSet], fragmentsOf(document));
  const rootFields = [...new Set(fields.map((field) => field.name.value))];
  const found = { name, type: operation.operation, logged: { operation: name, rootFields } };
  described.set(operation, found);
  return found;
}
