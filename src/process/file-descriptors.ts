import { readdir, readFile } from 'node:fs/promises';
import { hasCode } from '../errors.js';
import type { Logger } from '../logging/logger.js';

/** Numbers of file descriptors of this process. */
export interface DescriptorUse {
  readonly open: number;
  readonly limit: number;
}

/** Creates a function that counts the open descriptors; undefined where the system does not tell (no `/proc`). */
export function descriptorReader(): () => Promise<DescriptorUse | undefined> {
  let limit = 0;
  return async () => {
    try {
      const limits = await readFile('/proc/self/limits', 'utf8');
      limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
      // Without the descriptor that reads the directory.
      return { open: (await readdir('/proc/self/fd')).length - 1, limit };
    } catch (error) {
      return limit > 0 && hasCode(error, 'EMFILE') ? { open: limit, limit } : undefined;
    }
  };
}

/** Interval of the checks, in milliseconds. */
const CHECK_MS = 10_000;

/** Shares of the limit at which a line is logged, and below which another one may follow. */
const [NEARLY_ALL, ENOUGH_LEFT] = [0.9, 0.8];

/** Logs when descriptors are nearly used up: then connections are dropped, although nothing fails that could say so. */
export function watchDescriptors(logger: Logger): void {
  const read = descriptorReader();
  let isTold = false;
  const check = async (): Promise<void> => {
    const use = await read();
    if (use === undefined) return;
    const share = use.open / use.limit;
    if (share >= NEARLY_ALL && !isTold) logger.event('process.descriptors_used_up', use);
    isTold = share >= (isTold ? ENOUGH_LEFT : NEARLY_ALL);
  };
  void check();
  setInterval(() => void check(), CHECK_MS).unref();
}
