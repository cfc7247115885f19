import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ConnectionError, ReplyTooLargeError } from './connections.js';
import { TimeLimitError } from './time-limit.js';

/** A reply that has been received whole. */
export interface Received {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

/** What may be received, and whom it is handed to. */
export interface ReceptionOptions {
  readonly maxReplyBytes: number;
  /** What is left of the time, and all of it, in milliseconds. */
  readonly limit: number;
  readonly timeoutMs: number;
  readonly resolve: (reply: Received) => void;
  readonly reject: (reason: Error) => void;
  readonly giveBack: () => void;
}

/** Receives one reply whole, in time. */
export class Reception implements Dispatcher.DispatchHandler {
  readonly #options: ReceptionOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #etag: string | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #overdue: TimeLimitError | undefined;

  constructor(options: ReceptionOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => {
      this.#overdue = new TimeLimitError(options.timeoutMs);
      // Before it is connected nothing can be aborted; its connection stays taken until it is.
      options.reject(this.#overdue);
      this.#controller?.abort(this.#overdue);
    }, options.limit);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#overdue) controller.abort(this.#overdue);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#etag = headers.etag;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxReplyBytes } = this.#options;
    this.#bytes += chunk.length;
    if (this.#bytes > maxReplyBytes) controller.abort(new ReplyTooLargeError(`more than ${maxReplyBytes} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    const text = Buffer.concat(this.#chunks).toString();
    this.#options.resolve({ status: this.#status, etag: this.#etag, text });
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#end();
    const isOurs = cause instanceof ReplyTooLargeError || cause instanceof TimeLimitError;
    this.#options.reject(isOurs ? cause : new ConnectionError('the connection failed', { cause }));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#options.giveBack();
  }
}
