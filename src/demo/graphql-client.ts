import { Ajv, type JTDDataType, type SchemaObject } from 'ajv/dist/jtd.js';
import { check } from './steps.js';

/** A GraphQL operation with what it answers, as a JSON Type Definition (RFC 8927) that its type is inferred from. */
export interface Operation<Shape extends SchemaObject> {
  readonly document: string;
  readonly data: Shape;
}

/** A GraphQL client that trusts no answer it has not checked. */
export interface GraphQLClient {
  /**
   * Runs an operation.
   *
   * @throws {Error} when the gateway does not answer, answers with an error, or answers something else than
   *   `operation.data` says
   */
  request<const Shape extends SchemaObject>(
    operation: Operation<Shape>,
    variables?: object,
  ): Promise<JTDDataType<Shape>>;
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

/** Result of any operation (GraphQL specification, "Response Format"). */
const RESULT = {
  optionalProperties: {
    data: { nullable: true },
    errors: { elements: { properties: { message: { type: 'string' } }, additionalProperties: true } },
  },
  additionalProperties: true,
} as const;

/** Creates a client. */
export function createGraphQLClient({ gatewayUrl, accessToken, signal }: GraphQLClientOptions): GraphQLClient {
  const ajv = new Ajv();
  const isResult = ajv.compile<JTDDataType<typeof RESULT>>(RESULT);

  async function post(body: string): Promise<JTDDataType<typeof RESULT>> {
    const response = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body,
      signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const result: unknown = isJson ? await response.json() : undefined;
    const isAnswer = isResult(result) && ('data' in result || 'errors' in result);
    check(isAnswer, `${gatewayUrl}/graphql answered ${response.status}, not as GraphQL does. Is GATEWAY_URL right?`);
    return result;
  }

  return {
    async request<const Shape extends SchemaObject>(
      { document, data: shape }: Operation<Shape>,
      variables: object = {},
    ): Promise<JTDDataType<Shape>> {
      const { data, errors = [] } = await post(JSON.stringify({ query: document, variables }));
      check(errors.length === 0, errors.map(({ message }) => message).join(' '));
      const isExpected = ajv.compile<JTDDataType<Shape>>(shape);
      if (!isExpected(data)) throw new Error(`The answer is not as expected: ${ajv.errorsText(isExpected.errors)}.`);
      return data;
    },
  };
}
