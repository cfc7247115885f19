import type { IncomingHttpHeaders } from 'node:http';
import type { ClientOptions } from 'openapi-fetch';

/*
 * The subset of the Fetch standard that openapi-fetch uses. The platform's Request and Response are made of streams and
 * cost more than the rest of a call.
 */

export interface Target {
  readonly origin: string;
  /** Path with the query. */
  readonly path: string;
}

export function targetOf(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

interface PlainRequestInit {
  readonly method?: string;
  readonly headers?: Headers | Readonly<Record<string, string>>;
  readonly body?: string | null;
  /** Target of the URL, if known; splitting a URL costs as much as sending the request. */
  readonly target?: Target;
}

/** Replacement of Request, which openapi-fetch creates and passes to `fetch` if configured with PLAIN_REQUESTS. */
export class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  #target: Target | undefined;

  constructor(url: string, { method = 'GET', headers, body, target }: PlainRequestInit) {
    this.url = url;
    this.method = method;
    this.headers = headers instanceof Headers ? Object.fromEntries(headers) : (headers ?? {});
    this.body = body ?? null;
    this.#target = target;
  }

  with(headers: Readonly<Record<string, string>>): PlainRequest {
    const { url, method, body, target } = this;
    return new PlainRequest(url, { method, headers: { ...this.headers, ...headers }, body, target });
  }

  /** Target of the URL, split once, as some requests are sent repeatedly. */
  get target(): Target {
    return (this.#target ??= targetOf(this.url));
  }
}

/** Options of `createClient` in openapi-fetch; lists in a query have the form of the OpenAPI files. */
export const PLAIN_REQUESTS = {
  Request: PlainRequest as unknown as typeof Request, // openapi-fetch passes only its options, and reads its method
  querySerializer: { array: { style: 'form', explode: false } },
} as const;

/** `fetch` as openapi-fetch calls it. It takes requests of clients created with `PLAIN_REQUESTS`. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

/** Returns a client's request. @throws {TypeError} the client was created without `PLAIN_REQUESTS` */
export function outgoing(input: unknown): PlainRequest {
  if (input instanceof PlainRequest) return input;
  throw new TypeError('The client has to be created with PLAIN_REQUESTS.');
}

/** Replacement of Response, for a reply that has been received whole. */
export class PlainResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly #bytes: Uint8Array;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Uint8Array) {
    this.status = status;
    this.headers = {
      get(name) {
        const value = headers[name.toLowerCase()];
        return (Array.isArray(value) ? value.join(', ') : value) ?? null;
      },
    };
    this.#bytes = bytes;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** Body as UTF-8, without a byte order mark. */
  get body(): string {
    return UTF_8.decode(this.#bytes);
  }

  /** Returns the body, as openapi-fetch reads it. */
  text(): Promise<string> {
    return Promise.resolve(this.body);
  }
}

const UTF_8 = new TextDecoder();
