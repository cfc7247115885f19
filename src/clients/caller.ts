import type { Logger } from '../logging/logger.js';
import { clientOf } from '../wire/client-address.js';

/**
 * For whom a backend is called. Circuits and connections keep apart what different callers do, so that nobody has to
 * pay for the calls of somebody else.
 */
export interface Caller {
  /** `user` while somebody waits, `job` in the background. */
  readonly kind: 'user' | 'job';
  /** Absent for those who have not logged in, and for jobs without an organisation. */
  readonly org?: string | undefined;
  /** Address of a client that has not logged in. */
  readonly address?: string | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether a call made now has to be sent: an open circuit lets it through, as soon as no other call of its party is
   * under way, and it is not repeated.
   */
  readonly insists?: (() => boolean) | undefined;
  /** Carries the id of the request, or of the job, that the call is for; absent: it is for many of them. */
  readonly log?: Logger | undefined;
}

/** Name of those whose calls count as one: an organisation, or a client that has not logged in. */
export function partyOf({ org, address = '' }: Caller): string {
  return org === undefined ? `address ${clientOf(address)}` : `org ${org}`;
}

/** Whether it is somebody who has not logged in. */
export function isVisitor({ kind, org }: Caller): boolean {
  return kind === 'user' && org === undefined;
}
