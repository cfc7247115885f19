import type { Observer } from '../observation.js';

/**
 * How an authentication ended.
 *
 * - `authenticated`: the token is valid
 * - `no_token`: there was no `Authorization` header
 * - `invalid_token`: there was one, and it is not valid
 * - `unavailable`: nobody can tell, because the keys cannot be had
 */
export type AuthenticationOutcome = 'authenticated' | 'no_token' | 'invalid_token' | 'unavailable';

/** Watches authentications; each request has at most one. */
export type AuthenticationObserver = Observer<undefined, AuthenticationOutcome>;

/** Watches how the public keys are fetched. */
export type KeyFetchObserver = Observer<undefined, 'ok' | 'failed'>;
