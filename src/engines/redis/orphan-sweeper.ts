import { setTimeout as delay } from 'node:timers/promises';
import { describeError, ServiceUnavailableError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';
import { SWEEP_EVERY_MS } from './orphan-sweep.js';
import type { SharedQueue } from './shared-queue.js';

/** When orphans are swept; times in milliseconds. */
export interface OrphanSweeperOptions {
  readonly queue: Pick<SharedQueue, 'sweepOrphans'>;
  readonly logger: Logger;
  /** Jobs submitted more recently are left alone; the deadline of a job is a good value. */
  readonly olderThanMs: number;
  /** Wait between two sweeps; 5 minutes by default. */
  readonly everyMs?: number;
}

/** A sweep that is stopped waits for its commands under way, but not for a Redis that hangs. */
const STOP_MS = 1_000;

/** Sweeps orphans from time to time until closed; every process may do so. It keeps no process alive. */
export function startOrphanSweeper(options: OrphanSweeperOptions): { close(): Promise<void> } {
  const { queue, logger, olderThanMs, everyMs = SWEEP_EVERY_MS } = options;
  const stopping = new AbortController();
  let sweep: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      const ended = await queue.sweepOrphans({ olderThanMs, stopping: stopping.signal });
      if (ended > 0) logger.event('queue.orphans_ended', { ended });
    } catch (error) {
      // An unreachable Redis is logged where it was met.
      if (error instanceof ServiceUnavailableError || stopping.signal.aborted) return;
      logger.event('queue.sweep_failed', { reason: describeError(error) });
    }
  }

  const timer = setInterval(() => {
    sweep ??= run().finally(() => {
      sweep = undefined;
    });
  }, everyMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      stopping.abort();
      await Promise.race([sweep, delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}
