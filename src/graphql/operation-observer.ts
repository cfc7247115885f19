import type { ErrorCode } from '../error-table.js';
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
  /** True if refused because of load. */
  readonly shed: boolean;
}

/** Watches GraphQL requests, from their arrival to the reply. */
export type OperationObserver = Observer<StartedOperation, EndedOperation>;
