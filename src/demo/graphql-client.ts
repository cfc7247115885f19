import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { check } from './steps.js';

/** A GraphQL operation that asks for one root field; its types are generated from the SDL. */
export type Operation<Data, Variables> = string & DocumentTypeDecoration<Data, Variables>;

/** What stands in the one root field. Where that is null, an error says why. */
export type Answer<Data> = NonNullable<Data[keyof Data]>;

/** A GraphQL client. */
export interface GraphQLClient {
  /**
   * Runs an operation.
   *
   * @throws {Error} when the gateway does not answer, answers with an error, or answers something else than GraphQL
   */
  request<Data, Variables>(operation: Operation<Data, Variables>, variables: NoInfer<Variables>): Promise<Answer<Data>>;
}

/** Whom a client talks to, and as whom. */
export interface GraphQLClientOptions {
  /** URL of the gateway, base path included. */
  readonly gatewayUrl: string;
  /** Absent: only operations that need no token can be run. */
  readonly accessToken?: string;
  /** Aborts whatever is asked; absent: what was asked is waited for. */
  readonly signal?: AbortSignal;
}

/** Longest wait for an answer. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Creates a client. */
export function createGraphQLClient({ gatewayUrl, accessToken, signal }: GraphQLClientOptions): GraphQLClient {
  const url = `${gatewayUrl}/graphql`;
  return {
    async request<Data, Variables>(query: Operation<Data, Variables>, variables: Variables) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      const somethingElse = `${url} answered ${response.status}, not as GraphQL does. Is GATEWAY_URL right?`;
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const result = isJson ? parseJson(await response.text()) : undefined;
      check(isResult(result), somethingElse);
      const { data, errors = [] } = result;
      check(errors.length === 0, errors.map(({ message }) => message).join(' '));
      const [answer, ...others] = isObject(data) ? Object.values(data) : [];
      check(isObject(answer) && others.length === 0, somethingElse);
      return answer as Answer<Data>; // GraphQL answers what is asked, and both types are made of that
    },
  };
}

/** Result of any operation (GraphQL specification, "Response Format"). */
interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

function isResult(value: unknown): value is Result {
  if (!isObject(value)) return false;
  const { errors = [] } = value;
  return Array.isArray(errors) && errors.every((error) => isObject(error) && typeof error['message'] === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
