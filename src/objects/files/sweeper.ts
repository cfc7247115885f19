import { opendir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AgeClock, type SeenTime } from '../../base/age-clock.js';
import { describeError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import { loadOnce, repeat } from '../../base/waits.js';
import { percentDecoded } from '../../base/wire/decode-utf8.js';
import { jsonIn } from '../../base/wire/json-content.js';
import { REPORT_PREFIX } from '../object-store.js';
import { ifExists, placesIn } from './durable-files.js';

/** Receives the organisation whose reports take most of the disk, and their bytes. */
export type OnLargest = (org: string, bytes: number) => void;

/** Directory and intervals of the sweeper; times in milliseconds. */
export interface FileSweeperOptions {
  /** Directory of the object store. */
  readonly directory: string;
  /** Time for which objects are kept, in days. */
  readonly retentionDays: number;
  readonly logger: Logger;
  /** Called after each sweep that found any, with the organisation whose reports take most. */
  readonly onLargest: OnLargest | undefined;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number;
  /** Wait before the first sweep; a minute by default. */
  readonly firstMs?: number;
  /** Wait between two sweeps; an hour by default. */
  readonly everyMs?: number;
}

const CLOCK_FILE = 'clock.json';

const FIRST_MS = 60_000;
const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * EVERY_MS;

/** Age beyond which a temporary file is a leftover of a crash, not an unfinished one. */
const LEFTOVER_AFTER_MS = DAY_MS;

/** Waits before the first note of the time, when the directory is made, and between two notes; milliseconds. */
const [FIRST_NOTE_MS, NOTE_MS] = [1_000, 60_000];

/**
 * Removes expired reports and leftovers of crashes periodically until closed. Several sweepers may share a directory.
 * `clock.json` in it keeps the times that it has seen.
 */
export function startFileSweeper(options: FileSweeperOptions): ReturnType<typeof repeat> {
  const {
    directory,
    retentionDays,
    logger,
    onLargest,
    clock = Date.now,
    firstMs = FIRST_MS,
    everyMs = EVERY_MS,
  } = options;
  const places = placesIn(directory);
  const loadAge = loadOnce(async () => new AgeClock(await seenTimeIn(places, clock())));
  const notes = repeat(
    async () => {
      const noted = loadAge().then((age) => keepSeenTime(places.root, age.note(clock(), 'reports', logger)));
      // A full disk is told elsewhere, and sweeps go on. The next note tries again.
      await noted.catch(() => undefined);
    },
    { firstMs: FIRST_NOTE_MS, everyMs: NOTE_MS },
  );
  const sweeps = repeat(
    async (stopping) => {
      try {
        const now = (await loadAge()).at(clock());
        await removeOlder(places.temporary, now - LEFTOVER_AFTER_MS, stopping);
        const sizes = new Map<string, number>();
        await removeOlder(places.objects, now - retentionDays * DAY_MS, stopping, (path, bytes) => {
          const [, org] = OF_ORGANISATION.exec(relative(places.objects, path)) ?? [];
          if (org !== undefined) sizes.set(org, (sizes.get(org) ?? 0) + bytes);
        });
        const [largest] = [...sizes].toSorted(([, one], [, other]) => other - one);
        if (largest === undefined || stopping.aborted) return;
        const [org, bytes] = largest;
        onLargest?.(percentDecoded(org) ?? org, bytes);
      } catch (error) {
        // The next sweep retries; leftovers cost only disk space.
        logger.event('objects.sweep_failed', { reason: describeError(error) });
      }
    },
    { firstMs, everyMs },
  );
  return { close: async () => void (await Promise.all([notes.close(), sweeps.close()])) };
}

/** Reads the times that a store has seen; before they were kept, that of its newest object, or now without one. */
async function seenTimeIn({ root, objects }: ReturnType<typeof placesIn>, now: number): Promise<SeenTime> {
  const kept = jsonIn((await ifExists(readFile(join(root, CLOCK_FILE), 'utf8'))) ?? '');
  if (isSeenTime(kept)) return kept;
  let newest = 0;
  for (const entry of (await ifExists(readdir(objects, { recursive: true, withFileTypes: true }))) ?? []) {
    const facts = entry.isFile() ? await ifExists(stat(join(entry.parentPath, entry.name))) : undefined;
    newest = Math.max(newest, facts?.mtimeMs ?? 0);
  }
  return { seenAt: newest || now, aheadAt: 0, ranMs: 0 };
}

function isSeenTime(value: unknown): value is SeenTime {
  return ['seenAt', 'aheadAt', 'ranMs'].every((name) => Number.isFinite(Reflect.get(Object(value), name)));
}

/** Replaces the file at once. It makes no directory: without it, the reports are lost as well. */
async function keepSeenTime(root: string, seen: SeenTime): Promise<void> {
  const draft = join(root, `${CLOCK_FILE}.new`);
  await writeFile(draft, JSON.stringify(seen), { mode: 0o600, flush: true });
  await rename(draft, join(root, CLOCK_FILE));
}

/** Path of a report below the directory of all objects, with its organisation. */
const OF_ORGANISATION = new RegExp(`^[^/]+/${REPORT_PREFIX}org/([^/]+)/`);

/**
 * Removes files below a directory that are older than a time, and directories that have been empty since then.
 *
 * @param onKept called for each other file
 */
async function removeOlder(
  directory: string,
  time: number,
  stopping: AbortSignal,
  onKept?: (path: string, bytes: number) => void,
): Promise<void> {
  // Another process may remove any of these meanwhile.
  const entries = await ifExists(opendir(directory));
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (stopping.aborted) return;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      const facts = await ifExists(stat(path));
      await removeOlder(path, time, stopping, onKept);
      if (facts !== undefined && facts.mtimeMs < time) await rmdir(path).catch(() => undefined);
    } else {
      const facts = await ifExists(stat(path));
      if (facts !== undefined && facts.mtimeMs < time) await rm(path, { force: true });
      else if (facts !== undefined) onKept?.(path, facts.size);
    }
  }
}
