import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { HeaderList } from './security-headers.js';

const CLOSE = ['Connection', 'close'];

/** What the head of every answer says, whichever route gives it. */
export class AnswerHeaders {
  readonly #common: HeaderList;
  readonly #flat: readonly OutgoingHttpHeader[];
  readonly #isDraining: () => boolean;

  /**
   * @param common headers that are the same for every answer
   * @param isDraining whether the process is about to end, so that kept-alive connections should bring it no more
   */
  constructor(common: HeaderList, isDraining: () => boolean) {
    this.#common = common;
    this.#flat = common.flat();
    this.#isDraining = isDraining;
  }

  /**
   * All of them with some more, as `writeHead` takes them; to set each by itself costs twice as much.
   *
   * @param more names and values in turn
   * @param length of the body, in bytes
   */
  with(requestId: string, more: readonly string[], length: number): OutgoingHttpHeader[] {
    const all = [...this.#flat, ...more, 'x-request-id', requestId, 'content-length', length];
    if (this.#isDraining()) all.push(...CLOSE);
    return all;
  }

  /** Adds them to an answer that has not been written yet; a route that means something else has said so. */
  complete(response: ServerResponse, requestId: string): void {
    if (response.headersSent) return;
    response.setHeader('x-request-id', requestId);
    for (const [name, value] of this.#common) if (!response.hasHeader(name)) response.setHeader(name, value);
    if (this.#isDraining()) response.setHeader('Connection', 'close');
  }
}
