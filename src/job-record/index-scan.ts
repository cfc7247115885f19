import type { JobKind } from './job-kinds.js';
import type { IndexedJob, IndexedJobs, IndexPage, IndexPosition } from './organisation-jobs.js';

/** Entries that are looked at for a page, however few of them are wanted. */
export const MAX_SCANNED = 1_000;

/** Makes a page of entries of the index that come newest first, those of one millisecond by kind and id, last first. */
export class IndexScan {
  readonly #page: IndexPage;
  readonly #jobs: IndexedJob[] = [];
  #scanned = 0;
  #last: IndexPosition | undefined;

  constructor(page: IndexPage) {
    this.#page = page;
  }

  /**
   * Takes the next entry.
   *
   * @param read the job behind it, asked for when it is wanted; undefined when it cannot be read
   * @returns whether the one behind it should be looked for
   */
  offer(entry: { readonly kind: JobKind; readonly createdAt: number }, read: () => IndexedJob | undefined): boolean {
    if (this.#scanned === MAX_SCANNED) return false;
    const { kind, createdAt } = entry;
    const isWanted = this.#page.kinds?.includes(kind) ?? true;
    if (isWanted && this.#jobs.length === this.#page.limit) return false;
    this.#scanned += 1;
    const job = isWanted ? read() : undefined;
    if (job !== undefined) this.#jobs.push(job);
    // A position is shown to whoever asks, who may not know of the jobs that were left out.
    this.#last = { kind, createdAt, jobId: job?.jobId ?? '' };
    return true;
  }

  /** The page. @param hasMore whether an entry was left */
  end(hasMore: boolean): IndexedJobs {
    return { jobs: this.#jobs, ...(hasMore && this.#last && { next: this.#last }) };
  }
}
