import { readdir, readFile } from 'node:fs/promises';
import { hasCode } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';

/** Creates a function that counts open and allowed descriptors; undefined without `/proc`. */
export function descriptorReader() {
  let limit = 0;
  return async (): Promise<{ readonly open: number; readonly limit: number } | undefined> => {
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

const CHECK_MS = 10_000;

/** Share of the descriptors that clients may use; the rest is for files, stores and backends. */
const FOR_CLIENTS = 0.75;

/** Returns the largest number of connections of clients; undefined if the limit of descriptors is not known. */
export async function maxConnections(): Promise<number | undefined> {
  const use = await descriptorReader()();
  return use && Math.floor(use.limit * FOR_CLIENTS);
}

/** Share of the limit below which another line may follow. */
const ENOUGH_LEFT = 0.65;

/** Logs when descriptors are nearly used up: connections are dropped then, and nothing else says so. @returns stops */
export function watchDescriptors(logger: Logger): () => void {
  const read = descriptorReader();
  let isTold = false;
  const check = async (): Promise<void> => {
    const use = await read();
    if (use === undefined) return;
    const isUsedUp = use.open >= use.limit * (isTold ? ENOUGH_LEFT : FOR_CLIENTS);
    if (isUsedUp && !isTold) logger.event('process.descriptors_used_up', use);
    isTold = isUsedUp;
  };
  void check();
  const timer = setInterval(() => void check(), CHECK_MS).unref();
  return () => clearInterval(timer);
}

const MICROSECONDS = 1e6;

/** Returns the resident memory of this process, the processor time of all its threads, and its uptime. */
export function processUsage() {
  const { user, system } = process.cpuUsage();
  return {
    residentBytes: process.memoryUsage.rss(),
    userSeconds: user / MICROSECONDS,
    systemSeconds: system / MICROSECONDS,
    uptimeSeconds: process.uptime(),
  };
}
