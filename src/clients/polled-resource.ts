import { Pool } from 'undici';
import { BackendOutage, BackendRefusal, ContractBreach } from './call-errors.js';
import { ConnectionShares } from './connection-shares.js';
import { CONNECT_TIMEOUT_MS } from './connections.js';
import type { Reading } from './read-reply.js';
import { toCallError } from './exchange.js';
import { Reception, type Received } from './reception.js';
import { unavailable } from './refusals.js';
import { TimeLimitError } from './time-limit.js';
import { KEEP_ALIVE_MS } from './transport.js';

/** What is asked for, and how. */
export interface PolledResourceOptions<T> {
  /** Who has it, e.g. `backend-api`. */
  readonly backend: string;
  readonly url: string;
  readonly read: Reading<T>;
  /** Longest time, from the question to the end of the reply. */
  readonly timeoutMs: number;
  readonly connections: number;
  /** Questions that may wait for a connection. */
  readonly maxWaiting: number;
  /** Largest body of a reply. */
  readonly maxReplyBytes: number;
}

interface Known<T> {
  readonly etag: string | undefined;
  readonly text: string;
  readonly value: T;
}

/**
 * A resource that is asked for all the time and hardly ever changes. It is asked for conditionally (RFC 9110, section
 * 13.1.2), and read only when its text has changed; Fetch API, signals and timers per call, which cost several times
 * what the exchange itself does, are left out. Its connections are its own.
 */
export class PolledResource<T> {
  readonly #options: PolledResourceOptions<T>;
  readonly #path: string;
  readonly #pool: Pool;
  readonly #shares: ConnectionShares;
  #known: Known<T> | undefined;

  constructor(options: PolledResourceOptions<T>) {
    this.#options = options;
    const { origin, pathname, search } = new URL(options.url);
    this.#path = `${pathname}${search}`;
    this.#shares = new ConnectionShares({ ...options, fair: false });
    this.#pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
  }

  /**
   * Asks once.
   *
   * @returns the very same value as long as it has not changed
   * @throws {ServiceUnavailableError} what `exchange` throws, and for a refusal (4xx) as well
   */
  async get(): Promise<T> {
    const { backend, read } = this.#options;
    const known = this.#known;
    const progress = { sent: false };
    let reply: Received;
    try {
      reply = await this.#ask(known?.etag, progress);
    } catch (error) {
      throw toCallError(error, { backend, sent: progress.sent });
    }
    const { status, etag, text } = reply;
    if (status === 304 && known !== undefined) return known.value;
    if (status >= 500) throw new BackendOutage(backend, { httpStatus: status });
    if (status >= 400) throw unavailable(new BackendRefusal(backend, status, 'BadInput', 'refused'));
    if (status < 200 || status >= 300) throw new ContractBreach(backend, `status ${status}`);
    const value = known?.text === text ? known.value : read(text, backend);
    this.#known = { etag, text, value };
    return value;
  }

  /** Closes idle connections and waits for those in use. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #ask(etag: string | undefined, progress: { sent: boolean }): Promise<Received> {
    const { timeoutMs, maxReplyBytes } = this.#options;
    const startedAt = performance.now();
    const giveBack = this.#shares.tryAcquire('') ?? (await this.#waitForConnection());
    progress.sent = true;
    return new Promise((resolve, reject) => {
      const limit = timeoutMs - (performance.now() - startedAt);
      const reception = new Reception({ maxReplyBytes, limit, timeoutMs, resolve, reject, giveBack });
      const headers = etag === undefined ? {} : { 'if-none-match': etag };
      this.#pool.dispatch({ path: this.#path, method: 'GET', headers }, reception);
    });
  }

  async #waitForConnection(): Promise<() => void> {
    const { timeoutMs } = this.#options;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new TimeLimitError(timeoutMs)), timeoutMs);
    try {
      return await this.#shares.acquire('', waiting.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
