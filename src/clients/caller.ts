import type { Logger } from '../base/logging/logger.js';
import { networksOf } from '../base/wire/client-address.js';
import type { PartyPath } from './connection-shares.js';

/**
 * Origin of a backend call. Circuits and connections isolate callers, so that none is affected by the calls of others.
 */
export interface Caller {
  /** `user` while a client waits, `job` in the background. */
  readonly kind: 'user' | 'job';
  /** Absent for clients that have not logged in, and for jobs without an organisation. */
  readonly org?: string | undefined;
  /** Address of a client that has not logged in. */
  readonly address?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if the call sends a one-time password; such calls have connections of their own. */
  readonly sendsCode?: true;
  /**
   * Returns true if a call made now has to be sent. An open circuit lets it through, one call of a party at a time, and
   * it is not repeated.
   */
  readonly bypassesCircuit?: (() => boolean) | undefined;
  /** Logger with the id of the call's request or job; absent if the call is for many of them. */
  readonly log?: Logger | undefined;
}

/** Returns the names of the party: an organisation, or the networks of a client that has not logged in. */
export function partyOf({ kind, org, address = '' }: Caller): PartyPath {
  return org === undefined ? networksOf(address) : [`${kind} ${org}`];
}
