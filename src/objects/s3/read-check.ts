import type { Logger } from '../../logging/logger.js';
import { s3FaultOf } from './s3-faults.js';

const READ_EVERY_MS = 60_000;

/**
 * Creates a check that reads a small object in the background once a minute, because a bucket may take reports and
 * refuse their links. Call it after another request has succeeded, so that a failure concerns reading alone.
 *
 * @param read reads the object, and writes it if it is missing
 * @returns throws an error with the change to make if the last read failed
 */
export function createReadCheck(read: () => Promise<void>, logger: Logger): () => void {
  let begunAt = -Infinity;
  let failure: Error | undefined;
  return () => {
    if (performance.now() >= begunAt + READ_EVERY_MS) {
      begunAt = performance.now();
      void read().then(
        () => (failure = undefined),
        (error: unknown) => {
          failure = new Error(unreadable(error), { cause: error });
          logger.event('objects.unreadable', { fault: failure.message });
        },
      );
    }
    if (failure !== undefined) throw failure;
  };
}

/** Describes an error of reading alone: the fault and what to change. */
export function unreadable(error: unknown): string {
  return `Reports can be stored but not read, so their links fail. ${s3FaultOf(error)}`;
}
