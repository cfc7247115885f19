import type { Connections } from './connections.js';
import { inTime, readExchanged, receive } from './exchange.js';
import { PlainRequest } from './plain-exchange.js';
import type { Reading } from './read-reply.js';
import { reworded, unavailable } from './refusals.js';
import type { CurrentTrace } from '../wire/trace-headers.js';

/** What is asked for, and how. */
export interface PolledResourceOptions<T> {
  /** Who has it, e.g. `backend-api`. */
  readonly backend: string;
  readonly url: string;
  readonly read: Reading<T>;
  readonly connections: Connections;
  /** Longest time, from the question to the end of the reply. */
  readonly timeoutMs: number;
  /** The trace that is told to the backend; absent: none. */
  readonly currentTrace?: CurrentTrace | undefined;
}

interface Known<T> {
  readonly text: unknown;
  readonly value: T;
  /** What to ask next. */
  readonly request: PlainRequest;
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
    const { backend, url, read, connections, timeoutMs, currentTrace } = this.#options;
    const request = known?.request ?? new PlainRequest(url, {});
    return inTime({ backend, connections, party: '', timeoutMs, currentTrace }, async (send) => {
      const response = await send(request);
      if (response.status === 304 && known !== undefined) return known.value;
      const exchanged = receive(response);
      const reading: Reading<T> = (text, name) =>
        known !== undefined && known.text === text ? known.value : read(text, name);
      const value = readExchanged(exchanged, reading, { backend });
      const headers = conditionOf(response.headers.get('etag'));
      const isSame = headers['if-none-match'] === request.headers['if-none-match'];
      this.#known = { text: exchanged.data, value, request: isSame ? request : new PlainRequest(url, { headers }) };
      return value;
    });
  }
}

function conditionOf(etag: string | null): Readonly<Record<string, string>> {
  return etag === null ? {} : { 'if-none-match': etag };
}
