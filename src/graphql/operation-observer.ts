import type { ErrorCode } from '../errors.js';
import type { Observer } from '../observation.js';

/** A GraphQL request that begins. */
export interface StartedOperation {
  readonly requestId: string;
}

/** The end of a GraphQL request. */
export interface EndedOperation {
  /** As the document has it; undefined when it is unnamed, and when nothing was run. Anybody may make one up. */
  readonly name: string | undefined;
  /** Undefined when nothing was run: the request was refused before. */
  readonly type: 'query' | 'mutation' | 'subscription' | undefined;
  /** Codes of the errors that were answered, one for each. */
  readonly codes: readonly ErrorCode[];
  /** Whether it was refused because there was more to do than could be done. */
  readonly shed: boolean;
}

/** Watches GraphQL requests, from their arrival to the reply. */
export type OperationObserver = Observer<StartedOperation, EndedOperation>;
