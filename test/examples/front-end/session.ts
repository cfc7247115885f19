import { graphql } from './generated/index.js';
import type { RefreshSessionMutation, TokensFragment, TypedDocumentString } from './generated/graphql.js';
import type { Answer, GraphQLClient } from './graphql-client.js';
import { randomId } from './random-id.js';
import { EarlierLogInError, isRefused, wordsFor } from './request-error.js';

const LOG_IN = graphql(`
  mutation LogIn($loginId: String!, $password: String!) {
    userLogin(loginId: $loginId, password: $password) {
      otpRequired
      challenge
      session {
        ...Tokens
      }
    }
  }

  fragment Tokens on Session {
    accessToken
    refreshToken
  }
`);

const SEND_OTP = graphql(`
  mutation SendOtp($loginId: String!) {
    sendOtp(loginId: $loginId) {
      sentTo
      isRepeated
    }
  }
`);

const VERIFY_OTP = graphql(`
  mutation VerifyOtp($loginId: String!, $code: String!, $challenge: String) {
    verifyOtp(loginId: $loginId, code: $code, challenge: $challenge) {
      ...Tokens
    }
  }
`);

const REFRESH = graphql(`
  mutation RefreshSession($refreshToken: String!) {
    refreshUserToken(refreshToken: $refreshToken) {
      ...Tokens
    }
  }
`);

const LOGGED_OUT = 'You have logged out. Log in again.';
const EARLIER_LOG_IN = 'This page belongs to an earlier log-in: load it again.';
const OTHER_USER = 'Another user has logged in: load this page again.';

/** The login form. */
export interface Credentials {
  readonly loginId: string;
  readonly password: string;
}

/** Asks for the code that was sent. @param hint what to write above the field @returns nothing: send the code again */
export type AskForCode = (hint: string) => Promise<string | undefined>;

/**
 * Logs in; accounts with a second factor are asked for the code until it is right.
 *
 * @throws {RequestError} `InvalidCredentials`; `TooManyRequests`: let nobody try again before `retryAfterSeconds`
 */
export async function logIn(client: GraphQLClient, credentials: Credentials, askForCode: AskForCode): Promise<Session> {
  const { userLogin } = await client.request(LOG_IN, credentials);
  if (userLogin.session !== null) return new Session(client, userLogin.session);

  const { loginId } = credentials;
  let hint = await sendCode(client, loginId);
  for (;;) {
    const code = await askForCode(hint);
    try {
      if (code === undefined) {
        hint = await sendCode(client, loginId);
      } else {
        const { verifyOtp } = await client.request(VERIFY_OTP, { loginId, code, challenge: userLogin.challenge });
        return new Session(client, verifyOtp);
      }
    } catch (error) {
      // The code that was sent before may still be right.
      if (!isRefused(error, code === undefined ? 'TooManyRequests' : 'InvalidCredentials')) throw error;
      hint = wordsFor(error);
    }
  }
}

async function sendCode(client: GraphQLClient, loginId: string): Promise<string> {
  const { sentTo, isRepeated } = (await client.request(SEND_OTP, { loginId })).sendOtp;
  return isRepeated
    ? `A code was sent to ${sentTo} a moment ago. Enter it, or have it sent again in a minute.`
    : `Enter the code that was sent to ${sentTo}.`;
}

/** Tokens and the log-in that they came from, whose id is kept when they are refreshed. */
export interface StoredTokens extends TokensFragment {
  readonly logIn: string;
}

/** Tokens that several tabs share, such as those in `localStorage`, and the lock under which one tab refreshes them. */
export interface SharedTokens {
  /** Returns nothing after a log-out, which then holds for every tab. */
  read(): StoredTokens | null;
  write(tokens: StoredTokens): void;
  /** Runs work while no other tab does: `(work) => navigator.locks.request('refresh', work)`. */
  locked<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * A user who is logged in. Without shared tokens they are kept here alone: scripts cannot give away tokens that they
 * cannot find, and each tab has a log-in of its own.
 */
export class Session {
  readonly #client: GraphQLClient;
  readonly #shared: SharedTokens | undefined;
  #tokens: StoredTokens;
  #refreshing: Promise<void> | undefined;

  /** @param tokens of a log-in, or those that another tab has stored */
  constructor(client: GraphQLClient, tokens: TokensFragment & Partial<StoredTokens>, shared?: SharedTokens) {
    this.#client = client;
    this.#shared = shared;
    this.#tokens = { logIn: randomId(), ...tokens };
    shared?.write(this.#tokens);
  }

  /**
   * Asks with the access token, and once more with a new one when that has expired.
   *
   * @throws {RequestError} as the client does; `UnAuthenticated`: the session has ended, show the login
   * @throws {EarlierLogInError} nothing was sent, because another tab has logged out or another user in
   */
  async request<Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: NoInfer<Variables>,
    signal?: AbortSignal,
  ): Promise<Answer<Data>> {
    this.#requireOwnTokens();
    const { accessToken } = this.#tokens;
    try {
      return await this.#client.request(document, variables, { accessToken, signal });
    } catch (error) {
      if (!isRefused(error, 'UnAuthenticated')) throw error;
      await this.#refresh(accessToken, error);
    }
    return this.#client.request(document, variables, { accessToken: this.#tokens.accessToken, signal });
  }

  /** A refresh token is good for one use: requests that fail together share one refresh, and so do tabs. */
  async #refresh(expired: string, refusal: Error): Promise<void> {
    if (this.#tokens.accessToken !== expired) return;
    const refresh = (): Promise<void> => this.#fetchTokens(expired, refusal);
    this.#refreshing ??= (this.#shared?.locked(refresh) ?? refresh()).finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async #fetchTokens(expired: string, refusal: Error): Promise<void> {
    // Another tab may have refreshed them while this one waited for the lock.
    this.#requireOwnTokens();
    if (this.#tokens.accessToken !== expired) return;
    const { refreshToken } = this.#tokens;
    const fetchOnce = (): Promise<Answer<RefreshSessionMutation>> => this.#client.request(REFRESH, { refreshToken });
    try {
      // After a lost answer the token is tried once more: backend-api decides whether it is still good.
      const { refreshUserToken } = await fetchOnce().catch((error: unknown) => {
        if (!isRefused(error, 'ServiceUnavailable')) throw error;
        return fetchOnce();
      });
      // A log-out meanwhile is not undone.
      this.#requireOwnTokens();
      this.#tokens = { ...refreshUserToken, logIn: this.#tokens.logIn };
      this.#shared?.write(this.#tokens);
    } catch (error) {
      throw isRefused(error, 'InvalidCredentials') ? refusal : error;
    }
  }

  /** Takes what is stored, unless it is of another log-in: a request with it would be that user's. */
  #requireOwnTokens(): void {
    if (this.#shared === undefined) return;
    const stored = this.#shared.read();
    if (stored === null) throw new EarlierLogInError(LOGGED_OUT);
    if (stored.logIn !== this.#tokens.logIn) {
      throw new EarlierLogInError(userIn(stored) === userIn(this.#tokens) ? EARLIER_LOG_IN : OTHER_USER);
    }
    this.#tokens = stored;
  }
}

/** Returns user and organisation of an access token. The gateway checks its signature; here it only tells two apart. */
function userIn({ accessToken }: TokensFragment): string {
  const [, payload = ''] = accessToken.split('.');
  const { BackendUser, Org } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as TokenClaims; // JWT
  return JSON.stringify([BackendUser, Org]);
}

interface TokenClaims {
  readonly BackendUser?: string;
  readonly Org?: string;
}
