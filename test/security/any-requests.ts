import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { CALLBACK_ROUTES } from '../support/callbacks.js';
import { operationsOf, type SchemaOperation } from '../support/schema-operations.js';

/** Knowledge of a sender of requests. */
export interface Knowledge {
  /** A right `Authorization` header. */
  readonly authorization?: string;
  /** The right key of the callbacks. */
  readonly apiKey?: string;
}

/** Requests that no client should send, as Latin-1: a character for each byte. */
export interface AnyRequests {
  /** HTTP as far as its framing goes, mostly, with anything at all within it. */
  readonly framed: fc.Arbitrary<string>;
  /** HTTP at best in part. The server closes the connection after it, or waits for more. */
  readonly broken: fc.Arbitrary<string>;
}

/** A request that ends its connection, behind others. */
export const LAST_REQUEST = 'GET /health/live HTTP/1.1\r\nHost: x.localhost\r\nConnection: close\r\n\r\n';

const PROTECTED = '{ me { Org } tags { id } mobiles { edges { node { id } } } userAccounts { edges { node { id } } } }';

/** Headers that decide nothing about where a request ends. */
// oxfmt-ignore
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
  { weight: 4, arbitrary: fc.json({ stringUnit: 'binary' }) },
  fc.constantFrom('1e999', '-0', '9007199254740993', '"\\ud800"', '{"__proto__":{"a":1}}', '[[[[[[[[]]]]]]]]'),
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

/** Tokens that are not valid, from bytes to well-formed ones without a right signature. */
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

// oxfmt-ignore
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
  readonly host?: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Latin-1. */
  readonly body?: string;
}

function written({ method, target, host = 'gateway.localhost', headers, body }: Parts): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
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

/**
 * Requests for an endpoint of each kind, from a sender who knows so much.
 *
 * @param basePath of the gateway; most of those of odd targets are for what lies below, all others are
 */
export function anyRequests(schema: GraphQLSchema, { authorization, apiKey }: Knowledge, basePath = ''): AnyRequests {
  const token = authorization === undefined ? anyAuthorization : fc.constant(authorization);
  const key = apiKey === undefined ? anyLine : fc.constant(apiKey);
  const percentEncoded = fc.oneof(
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
    anyBytes.map(escapeBytes),
  );
  const search = fc
    .record({ query: percentEncoded, variables: percentEncoded, operationName: percentEncoded }, { requiredKeys: [] })
    .map((given) =>
      Object.entries(given)
        .map(([name, value]) => `${name}=${value}`)
        .join('&'),
    );
  const target = fc.oneof(
    fc.constantFrom('/graphql?query={serviceVersion}', '/health/live', '/.well-known/jwks.json', ...CALLBACK_ROUTES),
    search.map((given) => `/graphql?${given}`),
    fc
      .tuple(
        fc.constantFrom('/', '/files/', '/graphql/', '/files/driving-reports/', '/api/v1/'),
        percentEncoded,
        percentEncoded,
      )
      .map(([prefix, path, text]) => `${prefix}${path}?exp=${text}&sig=${text}`),
  );
  const withoutBody = fc
    .tuple(target, fc.array(fc.tuple(fc.constantFrom(...HEADERS), anyLine), { maxLength: 4 }))
    .map(([of, headers]) => written({ method: 'GET', target: of, headers }));

  const params = fc.record(
    { query: fc.oneof(anyOperation, fc.jsonValue()), operationName: fc.jsonValue(), extensions: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const toGraphQL = fc
    .tuple(
      fc.oneof(
        fc.constant(JSON.stringify({ query: PROTECTED })),
        anyBytes,
        anyJson.map(utf8),
        params.map((given) => utf8(JSON.stringify(given))),
        { weight: 2, arbitrary: fc.oneof(...operationsOf(schema).map(withAnyVariables)).map(utf8) },
      ),
      token,
    )
    .map(([body, header]) => {
      const headers = [JSON_TYPE, ['Authorization', header]] as const;
      return written({ method: 'POST', target: '/graphql', headers, body });
    });
  const toCallback = fc
    .tuple(
      fc.constantFrom(...CALLBACK_ROUTES),
      fc.record({ 'x-api-key': key, 'x-job-id': anyLine, 'x-org-id': anyLine }, { requiredKeys: ['x-api-key'] }),
      fc.oneof(anyBytes, anyJson.map(utf8)),
    )
    .map(([of, headers, body]) =>
      written({ method: 'POST', target: of, headers: [JSON_TYPE, ...Object.entries(headers)], body }),
    );
  const odd = oddRequest(basePath, [
    ...(apiKey === undefined ? [] : [['x-api-key', apiKey] as const]),
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
    JSON_TYPE,
  ]);
  const plain = fc
    .oneof(
      { weight: 3, arbitrary: withoutBody },
      { weight: 4, arbitrary: toGraphQL },
      { weight: 1, arbitrary: toCallback },
    )
    .map((request) => request.replace(' /', ` ${basePath}/`));
  return {
    framed: fc.oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: odd }),
    broken: fc.tuple(odd, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([request, edits]) => {
      const bytes = Array.from(request);
      for (const { at, removed, inserted } of edits) bytes.splice(at % bytes.length, removed, ...inserted);
      // Whatever it has become, this ends it.
      return `${bytes.join('')}\r\n\r\n\0\0\r\n\r\n`;
    }),
  };
}

/** A change of some bytes. */
const edit = fc.record({
  at: fc.nat(10_000),
  removed: fc.nat(3),
  inserted: fc
    .option(fc.nat(255).map((code) => String.fromCharCode(code)))
    .map((byte) => (byte === null ? [] : [byte])),
});

// oxfmt-ignore
const ROUTES = [
  '/graphql', '/graphql/', '/GraphQL', '/.well-known/jwks.json', '/health/live', '/health/ready', '/playground',
  '/files/driving-reports/x.pdf', ...CALLBACK_ROUTES, '/', '*',
];

/** Pieces that targets, hosts and header values are put together from. */
// oxfmt-ignore
const PIECES = [
  '[', ']', '@', ':', '//', '/', '\\', '?', '&', '=', '%', '%00', '%ff', '%2e%2e', '..', '.', '*', ',', ';', '"', '{',
  '}', '<', '|', '^', '`', '~', '+', '-', '_', '0', '99999', '2147483648', 'a', 'xn--', '::1', '1.2.3.4.5', 'http://',
  'HTTPS://', 'http://[', 'ftp://', 'javascript:', 'localhost', 'query', 'query={serviceVersion}',
  'variables={"a":"\\ud800"}', 'extensions=', 'exp=1', 'sig=', '__proto__', 'constructor', 'strict=true', '#',
];
const pieces = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength }).map((some) => some.join(''));

const METHODS = ['GET', 'GET', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'];

/** Beyond those above: what decides where a request ends, and what becomes of its connection. */
// oxfmt-ignore
const ODD_HEADERS = [
  ...HEADERS, 'Cache-Control', 'Connection', 'Expect', 'Transfer-Encoding', 'If-Match', 'If-Range', 'TE', 'Trailer',
  'Upgrade', 'Via', 'constructor',
];

// oxfmt-ignore
const VALUES = [
  'application/json', 'application/json; charset=utf-16', '100-continue', 'close', 'chunked', 'text/html',
  'multipart/form-data; boundary=x', 'gzip', '*/*', 'application/graphql-response+json', 'Bearer ', 'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.e30.', 'bytes=0-', 'null', 'https://front.example.com', 'websocket', '127.0.0.1, [::1',
  'W/"x"', 'Thu, 99 Foo', '%E7%B5%84', '%ED%A0%80', 'acme', 'job-1',
];

const BODIES = [
  ...['', '[]', '{}', 'null', '[[[[[[[[', '\u00ff\u00fe', '{"query":[]}', '[{"id":1,"name":"\\udc00"}]'],
  '{"date":"9999-12-31T00:00:00-23:59","drivers":[]}',
  '{"query":"{ me { Org } serviceVersion }"}',
  '{"query":"{ mobiles(first:3){edges{node{id tags{id} position{address} voice{online}}}} }"}',
  '{"query":"mutation{startBulkUpdateMobile(items:[]){jobId}}"}',
];

/** A request whose target, host, headers and body are put together from what parsers stumble over. */
function oddRequest(basePath: string, known: readonly (readonly [string, string])[]): fc.Arbitrary<string> {
  const route = fc
    .tuple(fc.constantFrom(...Array<string>(9).fill(basePath), ''), fc.constantFrom(...ROUTES))
    .map((parts) => parts.join(''));
  const target = fc.oneof(
    route,
    fc.tuple(route, pieces(6)).map((parts) => parts.join('?')),
    fc.tuple(pieces(3), route, pieces(3)).map(([host, path, search]) => `http://${host}${path}?${search}`),
    pieces(8).map((path) => `/${path}`),
  );
  // Node's own parser takes what is beyond ASCII in header values and nowhere else.
  const value = fc.oneof(
    fc.constantFrom(...VALUES),
    fc.tuple(pieces(5), fc.constantFrom('\u0080', '\u00a0', '\u00e9', '\u00ff')).map((parts) => parts.join('')),
  );
  return fc
    .record({
      method: fc.constantFrom(...METHODS),
      target,
      host: fc.oneof({ weight: 7, arbitrary: fc.constant('gateway.localhost') }, { weight: 3, arbitrary: pieces(3) }),
      some: fc.array(fc.tuple(fc.constantFrom(...ODD_HEADERS), value), { maxLength: 4 }),
      credentials: fc.subarray([...known]),
      body: fc.constantFrom(...BODIES),
    })
    .map(({ method, target, host, some, credentials, body }) => {
      const headers = [...some, ...credentials];
      return written({ method, target, host, headers, ...(method === 'POST' && { body }) });
    });
}

/** Each byte by itself, whether or not it makes a character. */
function escapeBytes(bytes: string): string {
  return Array.from(Buffer.from(bytes, 'latin1'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
