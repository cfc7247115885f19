import { fetchGateway, NoAnswerError, RefusedError, type ShownError } from './poll.js';

/** Session of a user who is logged in: the tokens for all requests of a client. */
export class Session {
  readonly #gatewayUrl: string;
  readonly #onEnd: (error: RefusedError) => void;
  #tokens: Tokens;
  #refreshing: Promise<void> | undefined;
  #end: RefusedError | undefined;

  /** @param onEnd called once, when the refresh token is refused: show the log-in, and why in the user's language */
  constructor(gatewayUrl: string, tokens: Tokens, onEnd: (error: RefusedError) => void = () => undefined) {
    this.#gatewayUrl = gatewayUrl;
    this.#tokens = tokens;
    this.#onEnd = onEnd;
  }

  static async logIn(gatewayUrl: string, loginId: string, password: string): Promise<Session> {
    const { userLogin } = await ask<{ userLogin: { session: Tokens } }>(gatewayUrl, LOG_IN, { loginId, password });
    return new Session(gatewayUrl, userLogin.session);
  }

  get authorization(): string {
    return `Bearer ${this.#tokens.accessToken}`;
  }

  /**
   * Gets new tokens. A refresh token is good for one use: requests that are refused together share one refresh, and one
   * that was refused late goes on with the new tokens.
   *
   * @param refused the `authorization` of the refused request
   * @throws {RefusedError} `InvalidCredentials`: the session has ended, and no further refresh is sent
   * @throws {NoAnswerError}
   */
  async refresh(refused = this.authorization): Promise<void> {
    if (this.#end !== undefined) throw this.#end;
    if (refused !== this.authorization) return;
    this.#refreshing ??= this.#fetchTokens().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async #fetchTokens(): Promise<void> {
    const { refreshToken } = this.#tokens;
    const once = () => ask<{ refreshUserToken: Tokens }>(this.#gatewayUrl, REFRESH, { refreshToken });
    try {
      // The gateway keeps the answer of a refresh for a repetition.
      const { refreshUserToken } = await once().catch((error: unknown) => {
        if (error instanceof NoAnswerError) return once();
        throw error;
      });
      this.#tokens = refreshUserToken;
    } catch (error) {
      if (error instanceof RefusedError && error.has('InvalidCredentials')) {
        this.#end = error;
        this.#onEnd(error);
      }
      throw error;
    }
  }
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const LOG_IN = `mutation LogIn($loginId: String!, $password: String!) {
  userLogin(loginId: $loginId, password: $password) { session { accessToken refreshToken } }
}`;

const REFRESH = `mutation Refresh($refreshToken: String!) {
  refreshUserToken(refreshToken: $refreshToken) { accessToken refreshToken }
}`;

/** Sends an operation without a client. @throws {RefusedError} @throws {NoAnswerError} */
export async function ask<Data>(
  gatewayUrl: string,
  query: string,
  variables: object,
  { authorization, signal }: { readonly authorization?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<Data> {
  const response = await fetchGateway(`${gatewayUrl}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(authorization !== undefined && { authorization }),
    },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: readonly ShownError[] }; // as asked
  if (errors !== undefined) throw new RefusedError(errors);
  return data;
}
