/** Session of a user who is logged in: the tokens for all requests of a client. */
export class Session {
  readonly #gatewayUrl: string;
  #tokens: Tokens;
  #refreshing: Promise<void> | undefined;

  constructor(gatewayUrl: string, tokens: Tokens) {
    this.#gatewayUrl = gatewayUrl;
    this.#tokens = tokens;
  }

  static async logIn(gatewayUrl: string, loginId: string, password: string): Promise<Session> {
    const { userLogin } = await ask<{ userLogin: { session: Tokens } }>(gatewayUrl, LOG_IN, { loginId, password });
    return new Session(gatewayUrl, userLogin.session);
  }

  get authorization(): string {
    return `Bearer ${this.#tokens.accessToken}`;
  }

  /** Gets new tokens. A refresh token is good for one use: requests that are refused together share one refresh. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#fetchTokens().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #fetchTokens(): Promise<void> {
    const { refreshToken } = this.#tokens;
    const data = await ask<{ refreshUserToken: Tokens }>(this.#gatewayUrl, REFRESH, { refreshToken });
    this.#tokens = data.refreshUserToken;
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

async function ask<Data>(gatewayUrl: string, query: string, variables: object): Promise<Data> {
  const response = await fetch(`${gatewayUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: readonly { message: string }[] }; // as asked
  if (errors !== undefined) throw new Error(errors[0]?.message);
  return data;
}
