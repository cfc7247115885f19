import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from '../../base/logging/logger.js';
import type { components } from '../../../generated/backend-api.js';
import { ACCESS_TOKEN_SECONDS, type AccessTokens, type SigningKeys } from '../access-tokens.js';
import { BackendFailure } from '../operation-types.js';
import type { BackendHandlers, BackendState } from './callers.js';
import type { StoredAccount } from '../seed/accounts.js';
import { randomFrom } from '../seed/random.js';

/** Lifetime of a one-time password in seconds. */
const OTP_SECONDS = 300;

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

type Session = components['schemas']['Session'];
type LoginHandlers = Pick<
  BackendHandlers,
  'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp'
>;

export interface LoginParts {
  readonly state: BackendState;
  readonly keys: SigningKeys;
  readonly tokens: AccessTokens;
  readonly otps: OneTimePasswords;
  readonly logger: Logger;
}

/** Creates the handlers of keys, login, one-time passwords and token refresh. */
export function loginHandlers({ state, keys, tokens, otps, logger }: LoginParts): LoginHandlers {
  /** Refresh tokens that were used. They name their account and have a proof, so that they outlive a restart. */
  const used = new Set<string>();

  const openSession = async (account: StoredAccount): Promise<Session> => {
    const issued = `${Buffer.from(account.profile.loginId).toString('base64url')}.${randomUUID()}`;
    const refreshToken = `${issued}.${keys.proofOf(issued)}`;
    return { accessToken: await tokens.issue(account), refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
  };

  const deliver = (loginId: string): { sentTo: string; expiresIn: number } => {
    // The answer is the same for unknown accounts, so that it does not reveal existing ones.
    if (state.accounts.has(loginId)) {
      const code = otps.issue(loginId);
      logger.event('sandbox.otp_issued', { loginId, code });
    }
    return { sentTo: `${loginId.slice(0, 1)}***@sandbox.test`, expiresIn: OTP_SECONDS };
  };

  return {
    getPublicKeys: ({ headers }) => {
      const body = { keys: keys.published.map(({ kid, pem }) => ({ kid, pem })) };
      const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
      const known = headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag) === true;
      return known ? { status: 304, body: undefined, headers: { etag } } : { status: 200, body, headers: { etag } };
    },

    login: async ({ body: { loginId, password } }) => {
      const account = state.accounts.get(loginId);
      if (account?.passwordDigest !== state.digest(password)) {
        throw new BackendFailure(401, 'The login id or the password is wrong.');
      }
      return account.otp
        ? { status: 200, body: { otpRequired: true, challenge: otps.challenge(loginId) } }
        : { status: 200, body: { otpRequired: false, session: await openSession(account) } };
    },

    refreshToken: async ({ body: { refreshToken } }) => {
      const [name = '', id = '', proof] = refreshToken.split('.');
      const account = state.accounts.get(Buffer.from(name, 'base64url').toString());
      const isOurs = `${name}.${id}.${proof}` === refreshToken && proof === keys.proofOf(`${name}.${id}`);
      if (account === undefined || !isOurs || used.has(id)) {
        throw new BackendFailure(401, 'The refresh token is unknown or was used before.');
      }
      used.add(id);
      return { status: 200, body: await openSession(account) };
    },

    sendOtp: ({ body: { loginId } }) => ({ status: 200, body: deliver(loginId) }),
    sendTestOtp: ({ body: { loginId } }) => ({ status: 200, body: deliver(loginId) }),

    verifyOtp: async ({ body: { loginId, code, challenge } }) => {
      const account = state.accounts.get(loginId);
      if (account === undefined || !otps.redeem(loginId, code, challenge)) {
        throw new BackendFailure(401, 'The one-time password is wrong or has expired.');
      }
      return { status: 200, body: await openSession(account) };
    },
  };
}
