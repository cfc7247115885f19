import { describeError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { LmdbDatabase } from './database.js';
import type { LmdbJobRecords } from './job-records.js';

const SWEEP_EVERY_MS = 60_000;
/** Few enough that other writers hardly wait. */
const BATCH = 200;

/** What the sweeper works on. */
export interface SweeperParts {
  readonly database: LmdbDatabase;
  readonly records: LmdbJobRecords;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
}

/** Removes expired records in small transactions. @returns how many */
export async function sweepExpired(parts: Omit<SweeperParts, 'logger'>): Promise<number> {
  const { database, records, clock } = parts;
  let total = 0;
  for (;;) {
    const removed = await database.transact(() => records.removeExpired(clock(), BATCH));
    total += removed;
    if (removed < BATCH) return total;
  }
}

/** Sweeps once a minute without keeping the process alive. @returns stops it */
export function startSweeper(parts: SweeperParts): () => void {
  const timer = setInterval(() => {
    sweepExpired(parts).catch((error: unknown) => {
      const reason = describeError(error);
      parts.logger.event('store.sweep_failed', { reason });
    });
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
