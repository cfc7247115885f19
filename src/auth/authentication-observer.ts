import type { Observer } from '../observation.js';

/**
 * Outcome of an authentication.
 *
 * - `authenticated`: the token is valid
 * - `no_token`: the `Authorization` header is absent
 * - `invalid_token`: the token is invalid
 * - `unavailable`: unknown, because the keys are unavailable
 */
export type AuthenticationOutcome = 'authenticated' | 'no_token' | 'invalid_token' | 'unavailable';

/** Watches authentications; each request has at most one. */
export type AuthenticationObserver = Observer<undefined, AuthenticationOutcome>;

/** Watches fetches of the public keys. */
export type KeyFetchObserver = Observer<undefined, 'ok' | 'failed'>;
