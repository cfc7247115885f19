import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { HeaderList } from './security-headers.js';

const CLOSE = ['Connection', 'close'];

/** Headers common to the answers of all routes. */
export class AnswerHeaders {
  readonly #common: HeaderList;
  readonly #flat: readonly OutgoingHttpHeader[];
  readonly #isDraining: () => boolean;

  /**
   * @param common constant headers of every answer
   * @param isDraining true if the process is about to end and must close kept-alive connections
   */
  constructor(common: HeaderList, isDraining: () => boolean) {
    this.#common = common;
    this.#flat = common.flat();
    this.#isDraining = isDraining;
  }

  /**
   * Returns all headers for `writeHead`; setting each separately costs twice as much.
   *
   * @param more alternating names and values
   * @param length of the body, in bytes
   */
  with(requestId: string, more: readonly string[], length: number): OutgoingHttpHeader[] {
    const all = [...this.#flat, ...more, 'x-request-id', requestId, 'content-length', length];
    if (this.#isDraining()) all.push(...CLOSE);
    return all;
  }

  /** Adds headers to an unsent answer; values set by the route stay. */
  complete(response: ServerResponse, requestId: string): void {
    if (response.headersSent) return;
    response.setHeader('x-request-id', requestId);
    for (const [name, value] of this.#common) if (!response.hasHeader(name)) response.setHeader(name, value);
    if (this.#isDraining()) response.setHeader('Connection', 'close');
  }
}
