import type { JobResult } from '../../src/job-record/job-record.js';
import type { Cancelled } from '../../src/job-record/job-store.js';

/** A job as somebody sees it who knows everything. */
export interface ReferenceJob {
  state: 'pending' | 'running' | 'finished';
  total: number;
  done: number;
  attempt: number;
  fingerprint: string;
  retentionMs: number;
  createdAt: number;
  goneAt: number;
  startedAt?: number | undefined;
  finishedAt?: number | undefined;
  cancelledAt?: number | undefined;
  checkpoint?: string | undefined;
  /** Indexes of the items whose outcome is noted. */
  items: readonly number[];
  result?: JobResult | undefined;
  /** The claim that may write, and until when nobody else may claim. */
  owner?: string | undefined;
  leasedUntil?: number | undefined;
}

type Described = Pick<ReferenceJob, 'total' | 'fingerprint' | 'retentionMs'>;
type Claim = Omit<Described, 'fingerprint'> & { fingerprints: readonly string[]; leaseMs: number; claim: string };

/** What a job store promises, without any of what makes it hard: one process, one map, nothing ever fails. */
export class ReferenceJobStore {
  readonly #jobs = new Map<string, ReferenceJob>();

  at(id: string, now: number): ReferenceJob | undefined {
    const job = this.#jobs.get(id);
    return job !== undefined && job.goneAt > now ? job : undefined;
  }

  enqueue(id: string, now: number, described: Described): boolean {
    if (this.at(id, now) !== undefined) return false;
    const { retentionMs } = described;
    this.#jobs.set(id, {
      ...described,
      state: 'pending',
      done: 0,
      attempt: 0,
      items: [],
      createdAt: now,
      goneAt: now + retentionMs,
    });
    return true;
  }

  claim(id: string, now: number, { fingerprints, leaseMs, claim, ...described }: Claim): string {
    this.enqueue(id, now, { ...described, fingerprint: fingerprints[0] ?? '' });
    const job = this.#existing(id, now);
    if (!fingerprints.includes(job.fingerprint)) return 'conflict';
    if (job.result?.status === 200) return 'finished';
    if (isLeased(job, now)) {
      job.leasedUntil = Math.min(job.leasedUntil ?? now, now + leaseMs);
      return 'running';
    }
    Object.assign(job, { state: 'running', total: described.total, attempt: job.attempt + 1, owner: claim });
    Object.assign(job, { startedAt: job.startedAt ?? now, result: undefined, finishedAt: undefined });
    lease(job, now, leaseMs);
    return 'claimed';
  }

  /** Whether the claim is the one that may write; if so, the change is made. */
  write(id: string, now: number, claim: string, change: (job: ReferenceJob) => void): boolean {
    const job = this.at(id, now);
    if (job === undefined || job.owner !== claim) return false;
    change(job);
    return true;
  }

  cancel(id: string, now: number): Cancelled | undefined {
    const job = this.at(id, now);
    if (job === undefined) return undefined;
    const changed = job.state !== 'finished' && job.cancelledAt === undefined;
    if (changed) job.cancelledAt = now;
    return { createdAt: job.createdAt, state: job.state, cancelled: job.cancelledAt !== undefined, changed };
  }

  fail(id: string, now: number, described: Described, result: JobResult): boolean {
    this.enqueue(id, now, described);
    const job = this.#existing(id, now);
    if (job.state === 'finished' || isLeased(job, now)) return false;
    end(job, now, result);
    return true;
  }

  #existing(id: string, now: number): ReferenceJob {
    const job = this.at(id, now);
    if (job === undefined) throw new Error('The reference has no such job.');
    return job;
  }
}

export function lease(job: ReferenceJob, now: number, leaseMs: number): void {
  Object.assign(job, { leasedUntil: now + leaseMs, goneAt: now + leaseMs + job.retentionMs });
}

export function release(job: ReferenceJob, now: number): void {
  Object.assign(job, { owner: undefined, leasedUntil: undefined, goneAt: now + job.retentionMs });
}

export function finish(job: ReferenceJob, now: number, result: JobResult): void {
  end(job, now, result);
  Object.assign(job, { checkpoint: undefined, items: [] });
}

function end(job: ReferenceJob, now: number, result: JobResult): void {
  release(job, now);
  Object.assign(job, { state: 'finished', finishedAt: now, result });
}

function isLeased({ leasedUntil }: ReferenceJob, now: number): boolean {
  return leasedUntil !== undefined && leasedUntil > now;
}
