import type { ServerResponse } from 'node:http';

/**
 * Aborts the open calls of a request when its client disconnects or its operation takes too long. The signal is made on
 * first use, because most requests call no backend.
 */
export class CutOff {
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  /** @param response closes when its client disconnects or it has been sent */
  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Signal of the open calls. */
  get signal(): AbortSignal {
    return this.#begin().signal;
  }

  /** Aborts the signal; only the first reason counts. */
  abort(reason: unknown): void {
    this.#begin().abort(reason);
  }

  #begin(): AbortController {
    if (this.#controller !== undefined) return this.#controller;
    const controller = new AbortController();
    const gone = (): void => {
      if (!this.#response.writableFinished) controller.abort(new Error('The client has disconnected.'));
    };
    if (this.#response.closed) gone();
    else this.#response.once('close', gone);
    this.#controller = controller;
    return controller;
  }
}
