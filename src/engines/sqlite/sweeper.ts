import { describeError } from '../../errors.js';
import { DEAD_LETTER_RETENTION_MS, MAX_WAIT_MS } from '../../job-record/job-queue.js';
import type { Logger } from '../../logging/logger.js';
import type { SqliteDatabase } from './database.js';
import type { SqliteJobRecords } from './job-records.js';
import type { SqliteMessages } from './messages.js';
import type { SqliteReplayMemory } from './replay-memory.js';

const SWEEP_EVERY_MS = 60_000;
/** Small, so that a transaction does not block the event loop noticeably. */
const BATCH = 20;

/** Dependencies of the sweeper. */
export interface SweeperParts {
  readonly database: SqliteDatabase;
  readonly records: SqliteJobRecords;
  readonly messages: SqliteMessages;
  readonly replayMemory: SqliteReplayMemory;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Maximum leases of a message and of a job, in milliseconds. */
  readonly messageLeaseMs: number;
  readonly jobLeaseMs: number;
}

/**
 * Removes expired entries, and shortens leases and waits that a wrong clock made too long, in small transactions.
 *
 * @param stopping ends the sweep after the current transaction
 * @returns number of removed or changed entries
 */
export async function sweep(parts: SweeperParts, stopping?: AbortSignal): Promise<number> {
  const { database, records, messages, replayMemory, clock, messageLeaseMs: leaseMs, jobLeaseMs } = parts;
  const tasks: readonly ((now: number) => number)[] = [
    (now) => messages.capDueTimes(now, { maxWaitMs: MAX_WAIT_MS, leaseMs }),
    (now) => records.shortenLeases(now, jobLeaseMs, BATCH),
    (now) => records.removeExpired(now, BATCH),
    (now) => messages.removeDeadBefore(now - DEAD_LETTER_RETENTION_MS, BATCH),
    (now) => replayMemory.removeExpired(now, BATCH),
  ];
  let total = 0;
  for (const task of tasks) {
    for (let count = BATCH; count === BATCH && !stopping?.aborted; total += count) {
      count = await database.note(() => task(clock()));
    }
  }
  return total;
}

/** Sweeps now and once a minute, without keeping the process alive. @returns stops it */
export function startSweeper({ logger, ...parts }: SweeperParts & { readonly logger: Logger }): () => void {
  const stopping = new AbortController();
  const run = (): void => {
    sweep(parts, stopping.signal).catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      logger.event('store.sweep_failed', { reason: describeError(error) });
    });
  };
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}
