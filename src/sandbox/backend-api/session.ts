import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from '../../logging/logger.js';
import type { components } from '../../../generated/backend-api.js';
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from '../access-tokens.js';
import type { SigningKeys } from '../signing-keys.js';
import { BackendFailure } from '../operation-types.js';
import type { BackendHandlers } from './callers.js';
import { OTP_SECONDS, type OneTimePasswords } from './one-time-passwords.js';
import type { BackendState, StoredAccount } from './state.js';

type Session = components['schemas']['Session'];
type SessionHandlers = Pick<
  BackendHandlers,
  'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp'
>;

export interface SessionParts {
  readonly state: BackendState;
  readonly keys: SigningKeys;
  readonly tokens: AccessTokens;
  readonly otps: OneTimePasswords;
  readonly logger: Logger;
}

/** Makes handlers of keys, login, one-time passwords and token refresh. */
export function sessionHandlers({ state, keys, tokens, otps, logger }: SessionParts): SessionHandlers {
  /** Login ids by the digests of valid refresh tokens. */
  const refreshTokens = new Map<string, string>();

  const openSession = async ({ profile, org }: StoredAccount): Promise<Session> => {
    const { loginId, isAdmin, useChat = false } = profile;
    const refreshToken = randomBytes(32).toString('base64url');
    refreshTokens.set(state.digest(refreshToken), loginId);
    const accessToken = await tokens.issue({ loginId, org, isAdmin, useChat });
    return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
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
      const digest = state.digest(refreshToken);
      const account = state.accounts.get(refreshTokens.get(digest) ?? '');
      refreshTokens.delete(digest);
      if (account === undefined) {
        throw new BackendFailure(401, 'The refresh token is unknown or was used before.');
      }
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
