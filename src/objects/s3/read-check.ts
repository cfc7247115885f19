import type { Logger } from '../../logging/logger.js';
import { s3FaultOf } from './s3-faults.js';

/** Interval of the reads, in milliseconds. */
const READ_EVERY_MS = 60_000;

/** Reads a small object in the background, because a bucket may take reports and refuse their links. */
export class ReadCheck {
  readonly #read: () => Promise<void>;
  readonly #logger: Logger;
  #begunAt = -Infinity;
  #failure: Error | undefined;

  /** @param read reads the object, and writes it if it is missing */
  constructor(read: () => Promise<void>, logger: Logger) {
    this.#read = read;
    this.#logger = logger;
  }

  /**
   * Begins a read if the last one began a minute ago. Call after another request has succeeded, so that a failure
   * concerns reading alone.
   *
   * @throws {Error} the last read failed; the message says what to change
   */
  check(): void {
    const now = performance.now();
    if (now >= this.#begunAt + READ_EVERY_MS) {
      this.#begunAt = now;
      void this.#read().then(
        () => (this.#failure = undefined),
        (error: unknown) => {
          const fault = unreadable(error);
          this.#failure = new Error(fault, { cause: error });
          this.#logger.event('objects.unreadable', { fault });
        },
      );
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Describes an error of reading alone: the fault and what to change. */
export function unreadable(error: unknown): string {
  return `Reports can be stored but not read, so their links fail. ${s3FaultOf(error)}`;
}
