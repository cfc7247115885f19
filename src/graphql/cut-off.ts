/** Something that may end before its result is of use to anybody, such as a response whose client goes away. */
export interface Closing {
  readonly closed: boolean;
  /** Whether all of it has been sent, so that there is nothing left to cut off. */
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Cuts off the calls that a request has under way, when its client goes away or its operation takes too long. Most
 * requests call nobody, so the signal is made when it is asked for.
 */
export class CutOff {
  readonly #response: Closing;
  #controller: AbortController | undefined;

  /** @param response closes when its client goes away, and when it has been sent */
  constructor(response: Closing) {
    this.#response = response;
  }

  /** Aborts with whatever comes first. */
  get signal(): AbortSignal {
    return this.#begin().signal;
  }

  /** Only the first reason counts. */
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
