import type { ShownError } from './gateway.js';
import { waitFor } from './wait-for.js';

/** What requests of a front end came to. */
export interface Tally {
  requests: number;
  /** Refused with `ServiceUnavailable`, which says that nothing was done; tried again. */
  retried: number;
  /** Everything else that is no answer. */
  readonly failures: string[];
}

/** A front end that tries again where the interface says it may, and only there. */
export interface FrontEnd {
  readonly tally: Tally;
  /** Logs in and uses the new token from now on. */
  logIn(loginId: string, password: string): Promise<void>;
  /**
   * The data of an operation.
   *
   * @throws {Error} after anything but data and `ServiceUnavailable`, which is noted as a failure
   */
  ask<T>(query: string, variables?: object): Promise<T>;
}

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly ShownError[];
}

const LOG_IN = `mutation($loginId: String!, $password: String!) {
  userLogin(loginId: $loginId, password: $password) { session { accessToken } } }`;

/** Makes a front end of the gateway at this URL. */
export function createFrontEnd(url: string): FrontEnd {
  const tally: Tally = { requests: 0, retried: 0, failures: [] };
  let accessToken: string | undefined;

  async function request(query: string, variables: object): Promise<unknown> {
    tally.requests += 1;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
    const { data, errors = [] } = JSON.parse(text) as Result; // a test's view
    if (errors.length === 0) return data;
    if (errors.every(({ extensions }) => extensions.code === 'ServiceUnavailable')) return undefined;
    throw new Error(text);
  }

  async function ask<T>(query: string, variables: object = {}): Promise<T> {
    return waitFor('the service to be available', async () => {
      try {
        const data = await request(query, variables);
        if (data === undefined) tally.retried += 1;
        return data as T | undefined; // as the caller selected
      } catch (error) {
        tally.failures.push(String(error));
        throw error;
      }
    });
  }

  return {
    tally,
    ask,
    async logIn(loginId, password) {
      const { userLogin } = await ask<{ userLogin: { session: { accessToken: string } } }>(LOG_IN, {
        loginId,
        password,
      });
      ({ accessToken } = userLogin.session);
    },
  };
}
