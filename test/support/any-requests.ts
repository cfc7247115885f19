import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { CALLBACK_ROUTES } from './callbacks.js';
import { operationsOf, type SchemaOperation } from './schema-operations.js';

/*
 * Requests that are HTTP as far as their framing goes, and hold anything at all within it. As text a request is Latin-1:
 * a character for each byte.
 */

/** What whoever sends them knows. */
export interface Knowledge {
  /** A right `Authorization` header. */
  readonly authorization?: string;
  /** The right key of the callbacks. */
  readonly apiKey?: string;
}

const PROTECTED = '{ me { Org } tags { id } mobiles { edges { node { id } } } userAccounts { edges { node { id } } } }';

/** Headers that decide nothing about where a request ends. */
// prettier-ignore
const HEADERS = [
  'accept', 'accept-encoding', 'access-control-request-method', 'authorization', 'content-encoding', 'content-type',
  'cookie', 'forwarded', 'if-none-match', 'if-modified-since', 'origin', 'range', 'referer', 'user-agent', 'x-api-key',
  'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-http-method-override', 'x-job-id', 'x-org-id',
  'x-request-id', '__proto__', 'webhook-id', 'webhook-signature', 'webhook-timestamp',
];

/** Any bytes. */
const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
/** Any bytes that a line may hold. */
const anyLine = anyBytes.map((bytes) => bytes.replaceAll(/[\r\n]/g, ''));
/** Any text, odd characters and halves of characters among it. */
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
/** Any JSON, with what JSON can hold and JavaScript cannot. */
const anyJson = fc.oneof(
  { weight: 8, arbitrary: fc.json({ stringUnit: 'binary' }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '1e999',
      '-0',
      '9007199254740993',
      '"\\ud800"',
      '{"__proto__":{"a":1}}',
      '[[[[[[[[]]]]]]]]',
    ),
  },
);

const base64url = fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
const jsonPart = anyJson.map((json) => Buffer.from(json).toString('base64url'));
const joseHeader = fc
  .record(
    {
      alg: fc.oneof(fc.constantFrom('RS256', 'none', 'HS256', 'dir', 'PS512', 'EdDSA'), fc.jsonValue()),
      kid: fc.jsonValue(),
      typ: fc.oneof(fc.constantFrom('JWT', 'at+jwt', 'jwt'), fc.jsonValue()),
      jwk: fc.jsonValue(),
      jku: fc.webUrl(),
      x5u: fc.webUrl(),
      crit: fc.jsonValue(),
      b64: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((header) => Buffer.from(JSON.stringify(header)).toString('base64url'));

/** Tokens that are none, from bytes to well-formed ones that nobody has signed. */
const anyToken = fc.oneof(
  anyLine,
  fc.tuple(joseHeader, fc.oneof(jsonPart, base64url), base64url).map((parts) => parts.join('.')),
  fc.array(base64url, { maxLength: 6 }).map((parts) => parts.join('.')),
);
const anyAuthorization = fc.oneof(
  anyLine,
  anyToken.map((token) => `Bearer ${token}`),
  anyToken.map((token) => `Basic ${token}`),
);

// prettier-ignore
const GRAPHQL_PARTS = [
  '{', '}', '(', ')', '[', ']', '!', '$', '...', ':', '=', '@', '|', '&', '"', '"""', '#', ',', ' ', '\n', 'query',
  'mutation', 'subscription', 'fragment', 'on', 'true', 'null', '1', '-1.5e9', '"text"', 'me', 'mobiles', 'serviceVersion',
  '__schema', '__typename', '__proto__', 'Query', 'Org', 'first', '@skip(if: true)', '{ me { Org } }', '$v: Int', '\ud800',
];
const anyOperation = fc.oneof(
  fc.array(fc.constantFrom(...GRAPHQL_PARTS), { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...GRAPHQL_PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
  anyText,
);

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Latin-1. */
  readonly body?: string;
}

function written({ method, target, headers, body }: Parts): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: gateway.test',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function graphql(body: string, authorization?: string): string {
  const headers = [JSON_TYPE, ...(authorization === undefined ? [] : [['Authorization', authorization] as const])];
  return written({ method: 'POST', target: '/graphql', headers, body });
}

/** An operation of the schema with any variables instead of those it wants. */
function withAnyVariables({ query, variables }: SchemaOperation): fc.Arbitrary<string> {
  const names = Object.keys(variables);
  const some = fc.tuple(...names.map((name) => fc.oneof(anyJson, fc.constant(JSON.stringify(variables[name])))));
  return some.map((values) => {
    const members = values.map((value, index) => `${JSON.stringify(names[index])}:${value}`);
    return `{"query":${JSON.stringify(query)},"variables":{${members.join()}}}`;
  });
}

/** Requests for an endpoint of each kind, from somebody who knows so much. */
export function anyRequest(schema: GraphQLSchema, { authorization, apiKey }: Knowledge): fc.Arbitrary<string> {
  const token = authorization === undefined ? anyAuthorization : fc.constant(authorization);
  const operations = operationsOf(schema).map(withAnyVariables);
  const key = apiKey === undefined ? anyLine : fc.constant(apiKey);
  const percentEncoded = fc.oneof(
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
    anyBytes.map(escapeBytes),
  );

  const withToken = token.map((header) => graphql(JSON.stringify({ query: PROTECTED }), header));
  const withHeaders = fc
    .array(fc.tuple(fc.constantFrom(...HEADERS), anyLine), { minLength: 1, maxLength: 4 })
    .chain((headers) =>
      fc
        .constantFrom('/graphql', '/health/live', '/.well-known/jwks.json', '/none', ...CALLBACK_ROUTES)
        .map((target) =>
          written({
            method: 'GET',
            target: target === '/graphql' ? '/graphql?query={serviceVersion}' : target,
            headers,
          }),
        ),
    );
  const withBody = fc
    .tuple(fc.oneof(anyBytes, anyJson.map(utf8)), token)
    .map(([body, header]) => graphql(body, authorization === undefined ? undefined : header));
  const withParameters = fc
    .tuple(
      fc.record(
        { query: fc.oneof(anyOperation, fc.jsonValue()), operationName: fc.jsonValue(), extensions: fc.jsonValue() },
        { requiredKeys: [] },
      ),
      token,
    )
    .map(([params, header]) => graphql(utf8(JSON.stringify(params)), header));
  const withVariables = fc.tuple(fc.oneof(...operations), token).map(([body, header]) => graphql(utf8(body), header));
  const withPath = fc
    .tuple(
      fc.constantFrom('/', '/files/', '/graphql/', '/files/driving-reports/', '/api/v1/'),
      percentEncoded,
      percentEncoded,
    )
    .map(([prefix, path, query]) =>
      written({ method: 'GET', target: `${prefix}${path}?exp=${query}&sig=${query}`, headers: [] }),
    );
  const withQuery = fc
    .record({ query: percentEncoded, variables: percentEncoded, operationName: percentEncoded }, { requiredKeys: [] })
    .map((given) =>
      Object.entries(given)
        .map(([name, value]) => `${name}=${value}`)
        .join('&'),
    )
    .map((search) => written({ method: 'GET', target: `/graphql?${search}`, headers: [] }));
  const toCallback = fc
    .tuple(
      fc.constantFrom(...CALLBACK_ROUTES),
      key,
      fc.option(anyLine),
      fc.option(anyLine),
      fc.oneof(anyBytes, anyJson.map(utf8)),
    )
    .map(([target, apiKeyHeader, jobId, org, body]) => {
      const named = [
        ['x-job-id', jobId],
        ['x-org-id', org],
      ] as const;
      const headers = [
        JSON_TYPE,
        ['x-api-key', apiKeyHeader] as const,
        ...named.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
      ];
      return written({ method: 'POST', target, headers, body });
    });
  return fc.oneof(withToken, withHeaders, withBody, withParameters, withVariables, withPath, withQuery, toCallback);
}

/** Each byte by itself, whether or not it makes a character. */
function escapeBytes(bytes: string): string {
  return Array.from(Buffer.from(bytes, 'latin1'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
