import type { Connections } from './connections.js';
import { inTime, readExchanged, receive } from './exchange.js';
import { PlainRequest } from './plain-exchange.js';
import type { Reading } from './read-reply.js';
import { reworded, unavailable } from './refusals.js';

/** What is asked for, and how. */
export interface PolledResourceOptions<T> {
  /** Who has it, e.g. `backend-api`. */
  readonly backend: string;
  readonly url: string;
  readonly read: Reading<T>;
  readonly connections: Connections;
  /** Longest time, from the question to the end of the reply. */
  readonly timeoutMs: number;
}

interface Known<T> {
  readonly etag: string | null;
  readonly text: unknown;
  readonly value: T;
}

/**
 * A resource that is asked for all the time and hardly ever changes. It is asked for conditionally (RFC 9110, section
 * 13.1.2), and read only when its text has changed.
 */
export class PolledResource<T> {
  readonly #options: PolledResourceOptions<T>;
  #known: Known<T> | undefined;

  constructor(options: PolledResourceOptions<T>) {
    this.#options = options;
  }

  /**
   * Asks once.
   *
   * @returns the very same value as long as it has not changed
   * @throws {ServiceUnavailableError} what `exchange` throws, and for a refusal (4xx) as well
   */
  get(): Promise<T> {
    return reworded(this.#ask(this.#known), unavailable);
  }

  #ask(known: Known<T> | undefined): Promise<T> {
    const { backend, url, read, connections, timeoutMs } = this.#options;
    const headers: Record<string, string> = known?.etag == null ? {} : { 'if-none-match': known.etag };
    return inTime({ backend, connections, party: '', timeoutMs }, async (send) => {
      const response = await send(new PlainRequest(url, { headers }));
      if (response.status === 304 && known !== undefined) return known.value;
      const etag = response.headers.get('etag');
      const exchanged = await receive(response);
      const reading: Reading<T> = (text, name) =>
        known !== undefined && known.text === text ? known.value : read(text, name);
      const value = readExchanged(exchanged, reading, { backend });
      this.#known = { etag, text: exchanged.data, value };
      return value;
    });
  }
}
