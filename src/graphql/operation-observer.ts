import type { ErrorCode } from '../errors.js';
import type { Observer } from '../observation.js';

/** Start of a GraphQL request. */
export interface StartedOperation {
  readonly requestId: string;
}

/** End of a GraphQL request. */
export interface EndedOperation {
  /** Name in the document, untrusted; undefined if unnamed or if nothing was run. */
  readonly name: string | undefined;
  /** Undefined if the request was refused and nothing was run. */
  readonly type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Code of each error in the reply. */
  readonly codes: readonly ErrorCode[];
  /** True if every error of ours or of a dependency left out a field within an answer, which has the rest. */
  readonly incomplete: boolean;
  /** True if refused because of load. */
  readonly shed: boolean;
}

/** Watches GraphQL requests, from their arrival to the reply. */
export type OperationObserver = Observer<StartedOperation, EndedOperation>;
