import type { ItemOutcome, JobIdentity } from '../../record/job-record.js';
import type {
  ClaimOutcome,
  ClaimRequest,
  LeaseState,
  JobStore,
  OnJobChange,
  Progress,
} from '../../record/job-store.js';
import { WAIT_MS } from '../../record/organisation-jobs.js';
import { TransitionStore, type Step, type Transacted } from '../../record/transition-store.js';
import { checkpoint, claim, leaseStateOf } from '../../record/transitions.js';
import type { SqliteDatabase } from './database.js';
import type { SqliteJobRecords } from './job-records.js';
import type { SqliteOrganisations } from './organisations.js';

/**
 * Job store on SQLite. Each method is one transition in one transaction, which is on the disk before the promise
 * resolves; only repeatable progress does not wait for the disk. The write lock of SQLite orders the transitions of all
 * processes.
 */
export class SqliteJobStore extends TransitionStore implements JobStore {
  readonly #database: SqliteDatabase;
  readonly #records: SqliteJobRecords;
  readonly #organisations: SqliteOrganisations;

  constructor(
    database: SqliteDatabase,
    records: SqliteJobRecords,
    organisations: SqliteOrganisations,
    onChange: OnJobChange | undefined,
  ) {
    super(onChange);
    this.#database = database;
    this.#records = records;
    this.#organisations = organisations;
  }

  async claim(job: JobIdentity, request: ClaimRequest): Promise<ClaimOutcome> {
    const { claimed, ...made } = await this.#database.transact((now): Transacted & { claimed: ClaimOutcome } => {
      const live = this.#records.get(job, now);
      const { isPlaceholder = false } = request;
      const { outcome, next } = claim(live, request, now);
      if (next !== undefined) {
        if (outcome.outcome === 'claimed' && !isPlaceholder && this.#organisations.mustWait(job.org, now)) {
          return { claimed: { outcome: 'must wait', retryAfterMs: WAIT_MS }, live, next: undefined };
        }
        this.#records.write(job, { live, next, now }, { isPlaceholder });
      }
      if (outcome.outcome !== 'claimed') return { claimed: outcome, live, next };
      // A first attempt has no items yet.
      const items = next?.attempt === 1 ? [] : this.#records.items(job);
      return { claimed: { ...outcome, items }, live, next };
    });
    this.changed(job, made);
    return claimed;
  }

  checkpoint(job: JobIdentity, token: string, progress: Progress): Promise<LeaseState> {
    const { items = [], repeatable = false } = progress;
    const save = (now: number): LeaseState => {
      const { next } = this.#records.update(job, now, (record) => checkpoint(record, token, progress));
      if (next !== undefined) this.#records.addItems(job, items);
      return leaseStateOf(next);
    };
    return repeatable ? this.#database.writeNow<LeaseState>(save) : this.#database.transact<LeaseState>(save);
  }

  isCancelled(job: JobIdentity): Promise<boolean> {
    return this.#database.read((now) => this.#records.get(job, now)?.cancelledAt !== undefined);
  }

  ping(): Promise<void> {
    return this.#database.ping();
  }

  protected find(job: JobIdentity): ReturnType<TransitionStore['find']> {
    return this.#database.read((now) => ({ live: this.#records.get(job, now), now }));
  }

  protected transact(job: JobIdentity, step: Step, { damagedIsNone = false } = {}): Promise<Transacted> {
    return this.#database.transact((now) => {
      if (damagedIsNone) this.#records.getOrRemove(job, now);
      return this.#records.update(job, now, step);
    });
  }

  protected items(job: JobIdentity): Promise<readonly ItemOutcome[]> {
    return this.#database.read(() => this.#records.items(job));
  }
}
