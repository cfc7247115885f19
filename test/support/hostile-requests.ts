import type { Random } from '../../src/sandbox/seed/random.js';
import { CALLBACK_ROUTES } from './callbacks.js';

const ROUTES = [
  '/graphql',
  '/graphql/',
  '/GraphQL',
  '/.well-known/jwks.json',
  '/health/live',
  '/health/ready',
  '/files/driving-reports/x.pdf',
  ...CALLBACK_ROUTES,
  '/',
  '*',
];

/** A page of megabytes, so few requests are for it. */
const PLAYGROUND = '/playground';
const PLAYGROUND_SHARE = 0.005;

/** What targets, hosts and header values are put together from. */
// prettier-ignore
const PIECES = [
  '[', ']', '@', ':', '//', '/', '\\', '?', '&', '=', '%', '%00', '%ff', '%2e%2e', '..', '.', '*', ',', ';', '"', '{',
  '}', '<', '|', '^', '`', '~', '+', '-', '_', '0', '99999', '2147483648', 'a', 'xn--', '::1', '1.2.3.4.5', 'http://',
  'HTTPS://', 'http://[', 'ftp://', 'javascript:', 'localhost', 'query', 'query={serviceVersion}',
  'variables={"a":"\\ud800"}', 'extensions=', 'exp=1', 'sig=', '__proto__', 'constructor', 'strict=true', '#',
];

/** Node's own parser takes these in header values and nowhere else. */
const BEYOND_ASCII = ['\u0080', '\u00a0', '\u00e9', '\u00ff'];

const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'];

// prettier-ignore
const HEADERS = [
  'Accept', 'Accept-Encoding', 'Accept-Language', 'Access-Control-Request-Headers', 'Access-Control-Request-Method',
  'Authorization', 'Cache-Control', 'Connection', 'Expect', 'Transfer-Encoding', 'Content-Encoding', 'Content-Type',
  'Cookie', 'Forwarded', 'If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'Origin', 'Range', 'Referer',
  'TE', 'Trailer', 'Upgrade', 'User-Agent', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto',
  'X-HTTP-Method-Override', 'x-api-key', 'x-job-id', 'x-org-id', 'x-request-id', '__proto__', 'constructor',
];

// prettier-ignore
const VALUES = [
  'application/json', 'application/json; charset=utf-16', '100-continue', 'close', 'chunked', 'text/html',
  'multipart/form-data; boundary=x', 'gzip', '*/*', 'application/graphql-response+json', 'Bearer ', 'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.e30.', 'bytes=0-', 'null', 'https://front.example.com', 'websocket', '127.0.0.1, [::1',
  'W/"x"', 'Thu, 99 Foo', '%E7%B5%84', '%ED%A0%80', 'acme', 'job-1',
];

// prettier-ignore
const BODIES = [
  '', '[]', '{}', 'null', '"\\ud800"', '[{"id":9007199254740993}]', '[{"id":1,"name":"\\udc00"}]',
  '{"__proto__":{"a":1}}', '{"date":"2023-02-29T00:00:00Z","drivers":[]}',
  '{"date":"9999-12-31T00:00:00-23:59","drivers":[]}', '1e999', '{"query":"{ serviceVersion }"}',
  '{"query":"{ me { Org } }"}', '{"query":"{ a(b: \\"\\ud800\\") }"}', '{"query":[]}',
  '{"query":"{ __typename }","variables":{"a":"\\ud800"}}', '{"query":"{ __typename }","operationName":"\\ud800"}',
  '{"query":"query($a:[Int!]){mobiles(tagIds:$a){edges{node{id}}}}","variables":{"a":[0]}}', '[[[[[[[[',
  '{"query":"{ mobiles(first:3){edges{node{id tags{id} position{address} voice{online}}}} }"}',
  '{"query":"{ mobile(id:2147483647){id} me{Org} }"}', '{"query":"{ mobile(id:1){id name} tags{id} }"}',
  '{"query":"mutation{startBulkUpdateMobile(items:[]){jobId}}"}',
  '{"query":"query($v:ID!){fetchBulkUpdateMobileStatus(jobId:$v){state}}","variables":{"v":"..\u00ff"}}',
  '\u00ff\u00fe', '{"query":"mutation{userLogin(loginId:\\"\\",password:\\"\\"){otpRequired}}"}',
];

/** What some of the requests have. */
export interface HostileCredentials {
  /** Key of the callbacks. */
  readonly apiKey: string;
  /** `Authorization` of somebody who has logged in. */
  readonly bearer: string;
}

/** Makes requests that nobody should send. */
export class HostileRequests {
  readonly #random: Random;
  readonly #credentials: HostileCredentials;
  readonly #basePath: string;

  /** @param basePath of the gateway; most of the requests are for what lies below */
  constructor(random: Random, credentials: HostileCredentials, basePath = '') {
    this.#random = random;
    this.#credentials = credentials;
    this.#basePath = basePath;
  }

  /** Requests for one connection, which the last one closes. Most of them get past Node's own parser. */
  pipeline(count: number): string[] {
    const requests = Array.from({ length: count - 1 }, () => this.#request());
    return [...requests, 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'];
  }

  /** Bytes that are HTTP at best in part. The server closes the connection after them, or waits for more. */
  broken(): string {
    const bytes = Array.from(this.#request());
    for (let edits = this.#random.integer(1, 4); edits > 0; edits -= 1) {
      const at = this.#random.integer(0, bytes.length);
      const insert = this.#random.next() < 0.5 ? [String.fromCharCode(this.#random.integer(0, 255))] : [];
      bytes.splice(at, this.#random.integer(0, 3), ...insert);
    }
    // Whatever it has become, this ends it.
    return `${bytes.join('')}\r\n\r\n\0\0\r\n\r\n`;
  }

  #request(): string {
    const method = this.#pick(METHODS);
    const host = this.#random.next() < 0.7 ? 'gateway.test' : this.#pieces(3);
    const body = method === 'POST' || this.#random.next() < 0.1 ? this.#pick(BODIES) : '';
    const lines = [
      `${method} ${this.#target()} HTTP/1.1`,
      `Host: ${host}`,
      ...Array.from({ length: this.#random.integer(0, 4) }, () => this.#header()),
      ...(this.#random.next() < 0.3 ? [`x-api-key: ${this.#credentials.apiKey}`] : []),
      ...(this.#random.next() < 1 / 3 ? [`Authorization: ${this.#credentials.bearer}`] : []),
      ...(this.#random.next() < 0.5 ? ['Content-Type: application/json'] : []),
      ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  }

  #target(): string {
    const basePath = this.#random.next() < 0.9 ? this.#basePath : '';
    const path = this.#random.next() < PLAYGROUND_SHARE ? PLAYGROUND : this.#pick(ROUTES);
    const route = `${basePath}${path}`;
    const kind = this.#random.next();
    if (kind < 0.3) return route;
    if (kind < 0.6) return `${route}?${this.#pieces(6)}`;
    if (kind < 0.7) return `http://${this.#pieces(3)}${route}?${this.#pieces(3)}`;
    return `/${this.#pieces(8)}`;
  }

  #header(): string {
    const value = this.#random.next() < 0.6 ? this.#pick(VALUES) : this.#pieces(5) + this.#pick(BEYOND_ASCII);
    return `${this.#pick(HEADERS)}: ${value}`;
  }

  #pieces(max: number): string {
    return Array.from({ length: this.#random.integer(1, max) }, () => this.#pick(PIECES)).join('');
  }

  #pick(choices: readonly string[]): string {
    return choices[this.#random.integer(0, choices.length - 1)] ?? '';
  }
}
