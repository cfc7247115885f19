import { jobRecordKey } from '../../record/job-record.js';
import type { FetchedDay } from './fetch-driver-day.js';
import type { JobExecution } from '../../job.js';

export interface KeptDaysOptions {
  /** Limit for all jobs together, in bytes; one job gets half of it. */
  readonly maxBytes?: number;
  /** Time for which a failed job's days are kept, in milliseconds. */
  readonly keepMs?: number;
}

export type KeptDay = Pick<FetchedDay, 'trips' | 'vehicle' | 'weighed'>;

export interface DaysOfJob {
  get(driver: string): KeptDay | undefined;
  put(driver: string, day: KeptDay): void;
  /** Keeps the days for a while: the attempt failed and another one may come soon. */
  keep(): void;
  /** Drops the days, because no further attempt will come. */
  forget(): void;
}

interface Entry {
  readonly days: Map<string, KeptDay>;
  bytes: number;
  /** Timer that drops the days; it runs between two attempts. */
  timer: NodeJS.Timeout | undefined;
  /** True once the days were dropped; days that arrive later are ignored. */
  isOver: boolean;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** Default of `keepMs`, longer than the back-off of any queue. */
const KEEP_MS = 15 * 60 * 1000;

/** Memory of a vehicle, a trip and a point of its track, in bytes, measured and rounded up. */
const BYTES = { vehicle: 1_024, trip: 1_024, point: 160 } as const;

/**
 * Memory for days of the drivers of a report that could not be stored, so that the next attempt in this process need
 * not fetch them again. They are kept as objects, which costs nothing if all goes well, within a fixed number of bytes;
 * days beyond it are fetched again. Among the jobs that wait for their next attempt, the one that has waited longest
 * loses its days first.
 */
export class KeptDays {
  readonly #limits: Required<KeptDaysOptions>;
  /** Entries by job, in the order of their failures. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(limits: KeptDaysOptions = {}) {
    this.#limits = { maxBytes: MAX_BYTES, keepMs: KEEP_MS, ...limits };
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the days for an attempt that begins; end it with `keep` or `forget`. */
  of({ job, createdAt }: Pick<JobExecution, 'job' | 'createdAt'>): DaysOfJob {
    // The time is part of the key: a record may expire, and its id return with another body.
    const key = `${jobRecordKey(job)} ${createdAt}`;
    const entry: Entry = this.#entries.get(key) ?? { days: new Map(), bytes: 0, timer: undefined, isOver: false };
    clearTimeout(entry.timer);
    entry.timer = undefined;
    // An attempt asks once for every driver, so days that it fetched itself are of no use to it.
    const earlier = new Map(entry.days);
    return {
      get: (driver) => earlier.get(driver),
      put: (driver, day) => {
        if (entry.isOver || (this.#entries.get(key) ?? entry) !== entry || entry.days.has(driver)) return;
        const bytes = sizeOf(day);
        if (!this.#makeRoom(entry, bytes)) return;
        this.#entries.set(key, entry);
        const { trips, vehicle, weighed } = day;
        entry.days.set(driver, { trips, vehicle, weighed });
        entry.bytes += bytes;
        this.#bytes += bytes;
      },
      keep: () => {
        if (this.#entries.get(key) !== entry) return;
        clearTimeout(entry.timer);
        entry.timer = setTimeout(() => this.#forget(key, entry), this.#limits.keepMs).unref();
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      },
      forget: () => this.#forget(key, entry),
    };
  }

  #makeRoom(entry: Entry, bytes: number): boolean {
    const { maxBytes } = this.#limits;
    if (entry.bytes + bytes > maxBytes / 2) return false;
    for (const [key, other] of this.#entries) {
      if (this.#bytes + bytes <= maxBytes) break;
      if (other !== entry && other.timer !== undefined) this.#forget(key, other);
    }
    return this.#bytes + bytes <= maxBytes;
  }

  #forget(key: string, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.isOver = true;
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}

function sizeOf({ trips, weighed }: KeptDay): number {
  const others = (weighed?.mobiles ?? []).flatMap((mobile) => [...(mobile.trips ?? []), ...(mobile.before ?? [])]);
  const points = [...trips, ...others].reduce((sum, { track }) => sum + track.length, 0);
  return BYTES.vehicle + BYTES.trip * (trips.length + others.length) + BYTES.point * points;
}
