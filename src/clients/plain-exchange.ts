import type { IncomingHttpHeaders } from 'node:http';

/*
 * What openapi-fetch writes and reads of the Fetch standard, and nothing else of it: the platform's Request and
 * Response cost more than the call itself, because they are made of streams.
 */

/** Where a request goes. */
export interface Target {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/** Takes a URL apart. */
export function targetOf(url: string): Target {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/** Takes the place of a Request: what openapi-fetch hands to a `fetch` when it is told to make these. */
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
      /** Of the URL, where that is known already; to take one apart costs as much as to send it. */
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

  /** The same request with more headers. */
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

  /** Where it goes; found once, as some requests are sent again and again. */
  get target(): Target {
    return (this.#target ??= targetOf(this.url));
  }
}

/** To be given to `createClient`. */
export const PLAIN_REQUESTS = {
  // openapi-fetch makes one, puts nothing else into it and reads nothing but the method.
  Request: PlainRequest as unknown as typeof Request,
};

/** Takes the place of a Response that has been received whole. */
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

  /** The body as UTF-8, without a byte order mark. */
  get body(): string {
    return UTF_8.decode(this.#bytes);
  }

  /** The same as a Response has it. */
  text(): Promise<string> {
    return Promise.resolve(this.body);
  }

  /** The body as JSON. @throws {SyntaxError} it is none */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }
}

const UTF_8 = new TextDecoder();
