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

/** Tokens that are remembered, and the characters of all of them together. An entry takes about a kilobyte. */
const MAX_TOKENS = 10_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** A longer token is verified each time it comes. */
const MAX_LENGTH = 8 * 1024;

/**
 * Users by the tokens that have been verified, so that the signature of each is checked once for each key. Tokens
 * themselves are not kept, only their hashes and what is read of them, which is never longer than they are: so the
 * length of a token is its size. Whoever sends ever new tokens, or long ones, displaces what was not used for the
 * longest time, and fills no memory; a displaced token is verified again.
 */
export class VerifiedTokens {
  readonly #tokens = new LRUCache<string, VerifiedToken>({
    max: MAX_TOKENS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_LENGTH,
  });

  /** What is remembered of a token, which is used with that. */
  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(hash('sha256', token, 'base64'));
  }

  /** Remembers a token that is not too long, and forgets others when there is no room. */
  set(token: string, verified: VerifiedToken): void {
    this.#tokens.set(hash('sha256', token, 'base64'), verified, { size: token.length });
  }

  delete(token: string): void {
    this.#tokens.delete(hash('sha256', token, 'base64'));
  }
}
