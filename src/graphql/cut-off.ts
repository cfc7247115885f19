/** Something that may end before its result is used, such as a response whose client goes away. */
export interface Closing {
  readonly closed: boolean;
  /** True once all of it has been sent and no call is left to abort. */
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Aborts the open calls of a request when its client goes away or its operation takes too long. The signal is made on
 * first use, because most requests call no backend.
 */
export class CutOff {
  readonly #response: Closing;
  #controller: AbortController | undefined;

  /** @param response closes when its client goes away or it has been sent */
  constructor(response: Closing) {
    this.#response = response;
  }

  /** Aborts at the first reason. */
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
      if (!this.#response.writableFinished) controller.abort(new Error('The client went away.'));
    };
    if (this.#response.closed) gone();
    else this.#response.once('close', gone);
    this.#controller = controller;
    return controller;
  }
}
