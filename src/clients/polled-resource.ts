import type { BackendName, CallName } from './call-errors.js';
import type { Connections } from './connections.js';
import { inTime, readExchanged, receive } from './exchange.js';
import { PlainRequest } from './plain-exchange.js';
import type { OnBreach, Reading } from './read-reply.js';
import { reworded, unavailable } from './call-errors.js';
import type { CurrentTrace } from '../wire/trace-headers.js';

/** Address and limits of a resource. */
export interface PolledResourceOptions<T> {
  /** Called backend, e.g. `backend-api`. */
  readonly backend: BackendName;
  readonly call: CallName;
  readonly url: string;
  readonly read: Reading<T>;
  readonly connections: Connections;
  /** Maximum time, from the request to the end of the reply. */
  readonly timeoutMs: number;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
}

interface Known<T> {
  readonly text: unknown;
  readonly value: T;
  /** Next request. */
  readonly request: PlainRequest;
}

/**
 * Resource that is requested often and seldom changes. Requests are conditional (RFC 9110, section 13.1.2), and the
 * text is parsed only after a change.
 */
export class PolledResource<T> {
  readonly #options: PolledResourceOptions<T>;
  #known: Known<T> | undefined;

  constructor(options: PolledResourceOptions<T>) {
    this.#options = options;
  }

  /**
   * Requests the resource once.
   *
   * @param onBreach called for parts that break the contract
   * @returns the identical value until it changes
   * @throws {ServiceUnavailableError} for a refusal (4xx); also errors of `exchange`
   */
  get(onBreach?: OnBreach): Promise<T> {
    return reworded(this.#ask(this.#known, onBreach), unavailable);
  }

  #ask(known: Known<T> | undefined, onBreach: OnBreach | undefined): Promise<T> {
    const { backend, call, url, read, connections, timeoutMs, currentTrace } = this.#options;
    const request = known?.request ?? new PlainRequest(url, {});
    return inTime({ backend, call, connections, party: '', timeoutMs, currentTrace, onBreach }, async (send) => {
      const response = await send(request);
      if (response.status === 304 && known !== undefined) return known.value;
      const exchanged = receive(response);
      const reading: Reading<T> = (text, name) =>
        known !== undefined && known.text === text ? known.value : read(text, name, onBreach);
      const value = readExchanged(exchanged, reading, { backend, call, onBreach, withKey: false });
      const etag = response.headers.get('etag');
      const headers: Readonly<Record<string, string>> = etag === null ? {} : { 'if-none-match': etag };
      const isSame = headers['if-none-match'] === request.headers['if-none-match'];
      this.#known = { text: exchanged.data, value, request: isSame ? request : new PlainRequest(url, { headers }) };
      return value;
    });
  }
}
