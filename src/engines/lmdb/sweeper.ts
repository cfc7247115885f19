import { describeError } from '../../errors.js';
import { DEAD_LETTER_RETENTION_MS } from '../../job-record/job-queue.js';
import type { Logger } from '../../logging/logger.js';
import type { DamagedEntries } from './damaged-entries.js';
import type { LmdbDatabase } from './database.js';
import { MAX_WAIT_MS } from './job-queue.js';
import type { LmdbJobRecords } from './job-records.js';
import type { LmdbMessages } from './messages.js';
import type { LmdbReplayMemory } from './replay-memory.js';

const SWEEP_EVERY_MS = 60_000;
/** Few enough that other writers hardly wait. */
const BATCH = 200;

/** What the sweeper works on. */
export interface SweeperParts {
  readonly database: LmdbDatabase;
  readonly records: LmdbJobRecords;
  readonly messages: LmdbMessages;
  readonly replayMemory: LmdbReplayMemory;
  readonly damaged: DamagedEntries;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Removes what is not kept any longer, and brings messages near that a wrong clock put far away, in small transactions.
 *
 * @param stopping ends the sweep behind the transaction under way
 * @returns how many entries were removed or changed
 */
export async function sweep(
  { database, records, messages, replayMemory, damaged, clock }: SweeperParts,
  stopping?: AbortSignal,
): Promise<number> {
  const tasks: readonly ((now: number) => number)[] = [
    (now) => records.removeExpired(now, BATCH),
    (now) => records.index.removeOld(now, BATCH),
    (now) => messages.removeDeadLettersBefore(now - DEAD_LETTER_RETENTION_MS, BATCH, now),
    (now) => messages.capDueTimes(now + MAX_WAIT_MS, BATCH, now),
    (now) => replayMemory.removeExpired(now, BATCH),
    (now) => damaged.removeBefore(now - DEAD_LETTER_RETENTION_MS, BATCH),
  ];
  let total = 0;
  for (const task of tasks) {
    for (let count = BATCH; count === BATCH && !stopping?.aborted; total += count) {
      count = await database.transact(() => task(clock()));
    }
  }
  return total;
}

/** Sweeps once a minute without keeping the process alive. @returns stops it */
export function startSweeper({ logger, ...parts }: SweeperParts & { readonly logger: Logger }): () => void {
  const stopping = new AbortController();
  const timer = setInterval(() => {
    sweep(parts, stopping.signal).catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      logger.event('store.sweep_failed', { reason: describeError(error) });
    });
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}
