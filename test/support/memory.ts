import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/**
 * Bytes of buffers that are still referred to in this process. What merely waits to be collected does not
 * count: how soon the collector runs depends on the load of the machine, not on the code.
 */
export function bytesInUse(): number {
  if (!isProcedure(collectGarbage)) throw new Error('This Node offers no garbage collection on demand.');
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

function isProcedure(value: unknown): value is () => void {
  return typeof value === 'function';
}
