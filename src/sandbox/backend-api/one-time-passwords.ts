import { randomUUID } from 'node:crypto';
import { randomFrom } from '../seed/random.js';

/** Lifetime of a one-time password in seconds. */
export const OTP_SECONDS = 300;

const MAX_ATTEMPTS = 5;

interface Issued {
  readonly code: string;
  readonly expiresAt: number;
  attemptsLeft: number;
}

/** One-time passwords, with the challenges that bind them to a password step. */
export class OneTimePasswords {
  readonly #now: () => Date;
  readonly #challenges = new Map<string, string>();
  readonly #issued = new Map<string, Issued>();
  readonly #counts = new Map<string, number>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Begins a login. @returns the challenge, which invalidates the one before */
  challenge(loginId: string): string {
    const challenge = randomUUID();
    this.#challenges.set(loginId, challenge);
    return challenge;
  }

  /** Issues six digits that depend only on the login id and the number of codes issued before. */
  issue(loginId: string): string {
    const count = (this.#counts.get(loginId) ?? 0) + 1;
    this.#counts.set(loginId, count);
    const code = String(randomFrom(`otp/${loginId}/${count}`).integer(0, 999_999)).padStart(6, '0');
    const expiresAt = this.#now().getTime() + OTP_SECONDS * 1000;
    this.#issued.set(loginId, { code, expiresAt, attemptsLeft: MAX_ATTEMPTS });
    return code;
  }

  /** Returns whether code and challenge are right, and then invalidates both. */
  redeem(loginId: string, code: string, challenge: string | undefined): boolean {
    const issued = this.#issued.get(loginId);
    const expected = this.#challenges.get(loginId);
    if (issued === undefined || expected === undefined) return false;
    if (issued.attemptsLeft === 0 || issued.expiresAt <= this.#now().getTime()) return false;
    issued.attemptsLeft -= 1;
    if (issued.code !== code || expected !== challenge) return false;
    this.#issued.delete(loginId);
    this.#challenges.delete(loginId);
    return true;
  }

  /** Returns the last code issued for a login id and not yet redeemed. */
  last(loginId: string): string | undefined {
    return this.#issued.get(loginId)?.code;
  }
}
