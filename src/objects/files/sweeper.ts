import { opendir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import { repeat } from '../../base/waits.js';
import { ifExists, placesIn } from './durable-files.js';

/** Directory and intervals of the sweeper; times in milliseconds. */
export interface FileSweeperOptions {
  /** Directory of the object store. */
  readonly directory: string;
  /** Time for which objects are kept, in days. */
  readonly retentionDays: number;
  readonly logger: Logger;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Wait before the first sweep; a minute by default. */
  readonly firstMs?: number;
  /** Wait between two sweeps; an hour by default. */
  readonly everyMs?: number;
}

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * EVERY_MS;

/** Age beyond which a temporary file is a leftover of a crash, not an unfinished one. */
const LEFTOVER_AFTER_MS = DAY_MS;

/**
 * Removes expired reports and leftovers of crashes periodically until closed. Several sweepers may share a directory.
 */
export function startFileSweeper(options: FileSweeperOptions): ReturnType<typeof repeat> {
  const { directory, retentionDays, logger, clock = Date.now, firstMs = FIRST_MS, everyMs = EVERY_MS } = options;
  const places = placesIn(directory);
  return repeat(
    async (stopping) => {
      try {
        const now = clock();
        await removeOlder(places.temporary, now - LEFTOVER_AFTER_MS, stopping);
        await removeOlder(places.objects, now - retentionDays * DAY_MS, stopping);
      } catch (error) {
        // The next sweep retries; leftovers cost only disk space.
        logger.event('objects.sweep_failed', { reason: describeError(error) });
      }
    },
    { firstMs, everyMs },
  );
}

/** Removes files below a directory that are older than a time, and directories that have been empty since then. */
async function removeOlder(directory: string, time: number, stopping: AbortSignal): Promise<void> {
  // Another process may remove any of these meanwhile.
  const entries = await ifExists(opendir(directory));
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (stopping.aborted) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const facts = await ifExists(stat(path));
      await removeOlder(path, time, stopping);
      if (facts !== undefined && facts.mtimeMs < time) await rmdir(path).catch(() => undefined);
    } else if (((await ifExists(stat(path)))?.mtimeMs ?? time) < time) {
      await rm(path, { force: true });
    }
  }
}
