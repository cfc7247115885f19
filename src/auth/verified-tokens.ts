import { hash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AuthUser } from './auth-user.js';

/** What is remembered of a token. */
export interface VerifiedToken {
  /** Key that verified the signature. */
  readonly key: KeyObject;
  /** Name of the key that the token gives. */
  readonly kid: string | undefined;
  readonly user: AuthUser;
  /** `nbf` and `exp` of the token, in seconds since 1970. */
  readonly notBefore: number | undefined;
  readonly expires: number | undefined;
}

/** Tokens that are remembered; an entry takes about a kilobyte. */
const MAX_TOKENS = 10_000;

/**
 * Users by the tokens that have been verified, so that the signature of each is checked once for each key. Tokens
 * themselves are not kept, only their hashes.
 */
export class VerifiedTokens {
  readonly #tokens = new LRUCache<string, VerifiedToken>({ max: MAX_TOKENS });

  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(hash('sha256', token, 'base64'));
  }

  set(token: string, verified: VerifiedToken): void {
    this.#tokens.set(hash('sha256', token, 'base64'), verified);
  }

  delete(token: string): void {
    this.#tokens.delete(hash('sha256', token, 'base64'));
  }
}
