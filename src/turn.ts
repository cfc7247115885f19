import { setImmediate } from 'node:timers/promises';

/**
 * Lets everybody else have their turn before whoever awaits it goes on: whatever has arrived meanwhile is read first.
 *
 * One `setImmediate` is not enough: what is asked for while something is read comes right behind it, within the same
 * round of the event loop.
 */
export async function turn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
