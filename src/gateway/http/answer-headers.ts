import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { closesConnection } from './unread-body.js';

/** Headers by name, in order of output. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Creates the default headers of all answers; routes can override them. Answers are data, not pages: browsers must not
 * load resources for them, frame, sniff or store them.
 *
 * @param production true if TLS is in front, which browsers then must require (RFC 6797)
 */
export function securityHeaders(production: boolean): HeaderList {
  return [
    ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
    ['Referrer-Policy', 'no-referrer'],
    ...(production ? [['Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`] as const] : []),
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
  ];
}

/** Headers common to the answers of all routes. */
export class AnswerHeaders {
  readonly #common: HeaderList;
  readonly #flat: readonly OutgoingHttpHeader[];
  readonly #isDraining: () => boolean;

  /** @param isDraining true if the process is about to end and must close kept-alive connections */
  constructor(common: HeaderList, isDraining: () => boolean) {
    this.#common = common;
    this.#flat = common.flat();
    this.#isDraining = isDraining;
  }

  /** Returns all headers for `writeHead`, alternating names and values; setting each costs twice as much. */
  with(response: ServerResponse, requestId: string, more: readonly string[], length: number): OutgoingHttpHeader[] {
    const all = [...this.#flat, ...more, 'x-request-id', requestId, 'content-length', length];
    if (closesConnection(response, this.#isDraining())) all.push('Connection', 'close');
    return all;
  }

  /** Adds headers to an unsent answer; values set by the route stay. */
  complete(response: ServerResponse, requestId: string): void {
    if (response.headersSent) return;
    response.setHeader('x-request-id', requestId);
    for (const [name, value] of this.#common) if (!response.hasHeader(name)) response.setHeader(name, value);
    const isClosing = this.#isDraining() || response.getHeader('Connection') === 'close';
    if (closesConnection(response, isClosing)) response.setHeader('Connection', 'close');
  }
}
