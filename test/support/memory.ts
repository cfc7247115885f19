import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** Two readings that differ by less are the same: something is always going on in a process. */
const STILL_BYTES = 256 * 1024;
const MAX_READINGS = 50;

/** The memory of this process in bytes after a collection: `heapUsed` is what is still referred to. */
export function memoryInUse(): NodeJS.MemoryUsage {
  if (!isProcedure(collectGarbage)) throw new Error('This Node offers no garbage collection on demand.');
  // Buffers are freed beside the program after a collection, and the next collection waits for that.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage();
}

/**
 * Bytes of buffers that are still referred to in this process. Buffers that merely wait to be collected do not
 * count: how soon the collector runs depends on the load of the machine, not on the code.
 */
export function bytesInUse(): number {
  return memoryInUse().arrayBuffers;
}

/**
 * The same once it no longer falls: tests that ran before in this process leave buffers that are let go of step by
 * step, and would be taken for what the code under test gives back.
 *
 * @throws {Error} when it goes on falling
 */
export async function settledBytesInUse(): Promise<number> {
  let last = Infinity;
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    await nextTurn();
    const bytes = bytesInUse();
    if (last - bytes < STILL_BYTES) return bytes;
    last = bytes;
  }
  throw new Error(`The buffers of this process do not settle; ${last} bytes are in use.`);
}

function isProcedure(value: unknown): value is () => void {
  return typeof value === 'function';
}
