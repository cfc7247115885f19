import type { IncomingHttpHeaders } from 'node:http';

/*
 * The subset of the Fetch standard that openapi-fetch uses: the platform's Request and Response cost more than the call
 * itself, because they are made of streams.
 */

/** Target of a request. */
export interface Target {
  readonly origin: string;
  /** Path with the query. */
  readonly path: string;
}

/** Splits a URL. */
export function targetOf(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/** Replacement of Request: openapi-fetch passes it to a `fetch` if configured to make these. */
export class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
  #target: Target | undefined;

  constructor(
    url: string,
    {
      method = 'GET',
      headers,
      body,
      signal,
      target,
    }: {
      method?: string;
      headers?: Headers | Readonly<Record<string, string>>;
      body?: string;
      signal?: AbortSignal;
      /** Target of the URL, if already known; splitting one costs as much as sending it. */
      target?: Target;
    },
  ) {
    this.url = url;
    this.method = method;
    this.headers = headers instanceof Headers ? Object.fromEntries(headers) : (headers ?? {});
    this.body = body ?? null;
    this.signal = signal;
    this.#target = target;
  }

  /** Returns the same request with more headers. */
  with(headers: Readonly<Record<string, string>>): PlainRequest {
    const { url, method, body, signal } = this;
    return new PlainRequest(url, {
      method,
      headers: { ...this.headers, ...headers },
      ...(body !== null && { body }),
      ...(signal && { signal }),
      target: this.target,
    });
  }

  /** Target; computed once, as some requests are sent repeatedly. */
  get target(): Target {
    return (this.#target ??= targetOf(this.url));
  }
}

/** Options for `createClient`. */
export const PLAIN_REQUESTS = {
  // openapi-fetch makes one, sets no other properties and reads only the method.
  Request: PlainRequest as unknown as typeof Request,
};

/** Replacement of a Response that has been received whole. */
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

  /** Same as of a Response. */
  text(): Promise<string> {
    return Promise.resolve(this.body);
  }

  /** Parses the body as JSON. @throws {SyntaxError} it is not JSON */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }
}

const UTF_8 = new TextDecoder();
