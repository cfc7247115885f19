import { setImmediate } from 'node:timers/promises';

/**
 * Yields to the event loop, so that input that has arrived meanwhile is read before the caller continues.
 *
 * One `setImmediate` is not enough: if requested while input is read, it runs right after that, in the same turn of the
 * event loop.
 */
export async function turn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
