import { describeError } from '../../base/errors.js';
import type { JobIdentity } from '../record/job-record.js';
import type { LeaseState } from '../record/job-store.js';
import type { OrganisationJobs } from '../record/organisation-jobs.js';
import type { Logger } from '../../base/logging/logger.js';
import { withinTime } from '../../base/waits.js';
import { JobCancelledError, JobGaveWayError, JobStoppedError, LeaseLostError } from '../job.js';

/** Interval of checks for cancellations, and for jobs that should give way, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** Claimed job, and its calls to the store. Times are milliseconds. */
export interface RunningJobOptions {
  readonly job: JobIdentity;
  /** True if the job continues at a checkpoint, so that it can stop at the next item. */
  readonly resumes: boolean;
  readonly wasCancelled: boolean;
  readonly leaseMs: number;
  readonly deadlineMs: number;
  /** Renews the lease. If the store does not answer, the lease stays valid until it expires. */
  readonly renew: () => Promise<LeaseState>;
  /** Asks the store whether the job was cancelled; a failed call is repeated. */
  readonly isCancelled: () => Promise<boolean>;
  readonly log: Logger;
}

/** Running job: its lease, and signals of {@link JobExecution}. A process-wide source would keep them in memory. */
export class RunningJob {
  readonly #options: RunningJobOptions;
  readonly #onEnd: () => void;
  readonly #cutOff = new AbortController();
  readonly #stopping = new AbortController();
  readonly #deadline = new AbortController();
  readonly #cancelled = new AbortController();
  readonly #lease: NodeJS.Timeout;
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  #heardAt = performance.now();
  #isAsking = false;

  readonly job: JobIdentity;
  readonly signal = this.#cutOff.signal;
  readonly stopping = this.#stopping.signal;
  /** Aborted with either of these two, for the same reason. Ends every wait. */
  readonly interrupted = AbortSignal.any([this.signal, this.stopping]);
  readonly deadline = this.#deadline.signal;
  readonly cancelled = this.#cancelled.signal;

  constructor(options: RunningJobOptions, onEnd: () => void) {
    this.job = options.job;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#lease = setInterval(() => this.#renew(), options.leaseMs / 3);
    const timeIsOver = (): void => this.#deadline.abort(new Error('The time allowed for the job is over.'));
    this.#timer = setTimeout(timeIsOver, options.deadlineMs);
    if (options.wasCancelled) this.#cancel();
  }

  get isPreempted(): boolean {
    return [this.signal.reason, this.stopping.reason].some((reason) => reason instanceof JobGaveWayError);
  }

  /** Takes the answer to a write of the job. @returns true if the job still holds its lease */
  onStoreReply(hold: LeaseState): boolean {
    this.#heardAt = performance.now();
    if (hold === 'cancelled') this.#cancel();
    return hold !== 'lost';
  }

  /** Makes the job stop at the next item. */
  stop(reason: JobStoppedError): void {
    this.#stopping.abort(reason);
  }

  /** Makes the job end its work at once. */
  abort(reason: Error): void {
    this.#cutOff.abort(reason);
  }

  preempt(): void {
    const reason = new JobGaveWayError('Another job has to run.');
    if (this.#options.resumes) this.stop(reason);
    else this.abort(reason);
  }

  /** Asks the store for a cancellation, unless a write of the job had an answer a moment ago. */
  lookForCancellation(): void {
    if (this.cancelled.aborted || this.#isAsking || performance.now() - this.#heardAt < LOOK_EVERY_MS) return;
    this.#isAsking = true;
    this.#options
      .isCancelled()
      .then((cancelled) => cancelled && this.#cancel())
      .catch(() => undefined)
      .finally(() => (this.#isAsking = false));
  }

  end(): void {
    clearInterval(this.#lease);
    clearTimeout(this.#timer);
    this.#onEnd();
  }

  #renew(): void {
    const { renew, log, leaseMs } = this.#options;
    const askedAt = performance.now();
    renew().then(
      (hold) => {
        if (this.onStoreReply(hold)) this.#renewedAt = askedAt;
        else this.#lose('The job was taken over.');
      },
      (err: unknown) => {
        log.event('job.lease_not_renewed', { err });
        if (performance.now() - this.#renewedAt < leaseMs) return;
        this.#lose('The lease ran out while the store did not answer.');
      },
    );
  }

  #lose(reason: string): void {
    clearInterval(this.#lease);
    this.abort(new LeaseLostError(reason));
  }

  #cancel(): void {
    if (this.cancelled.aborted) return;
    this.#options.log.event('job.winding_up');
    this.#cancelled.abort(new JobCancelledError('The job was cancelled.'));
  }
}

/**
 * Running jobs of this process. Twice a second, while jobs run, it looks for cancellations and, with one query for each
 * organisation, for jobs that should give way: those of an organisation that runs more than its share beside others.
 */
export class RunningJobs {
  readonly #organisations: Pick<OrganisationJobs, 'jobsToPreempt'> | undefined;
  readonly #logger: Logger;
  readonly #jobs = new Set<RunningJob>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #alone: RunningJob | undefined;
  #aloneTimer: NodeJS.Timeout | undefined;
  #stopReason: JobStoppedError | undefined;

  /** @param organisations undefined if they do not share the store */
  constructor(organisations: Pick<OrganisationJobs, 'jobsToPreempt'> | undefined, logger: Logger) {
    this.#organisations = organisations;
    this.#logger = logger;
  }

  get isStopping(): boolean {
    return this.#stopReason !== undefined;
  }

  /** True while a job runs alone, and no other job should begin. */
  get isExclusive(): boolean {
    return this.#alone !== undefined;
  }

  /**
   * Lets a job run alone, because it may end the process: other jobs give way, and those that begin do so at once.
   * Resolves when `others`, the callbacks with a claim or about to make one, have ended, or after the time that they
   * have for it. From then on, the job is alone for as long at most.
   */
  async beginExclusiveRun(job: RunningJob, others: readonly Promise<unknown>[], maxMs: number): Promise<void> {
    if (this.#alone !== undefined) return;
    this.#alone = job;
    for (const other of this.#jobs) if (other !== job) other.preempt();
    await withinTime(Promise.allSettled(others), maxMs);
    this.#aloneTimer = setTimeout(() => this.endExclusiveRun(job), maxMs).unref();
  }

  endExclusiveRun(job: RunningJob): void {
    if (this.#alone !== job) return;
    this.#alone = undefined;
    clearTimeout(this.#aloneTimer);
  }

  begin(options: RunningJobOptions): RunningJob {
    const job = new RunningJob(options, () => {
      this.#jobs.delete(job);
      this.endExclusiveRun(job);
      if (this.#jobs.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#jobs.add(job);
    if (this.#stopReason !== undefined) job.stop(this.#stopReason);
    if (this.isExclusive) job.preempt();
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return job;
  }

  stop(): void {
    const reason = (this.#stopReason ??= new JobStoppedError('The service is shutting down.'));
    for (const job of this.#jobs) job.stop(reason);
  }

  cutOff(): void {
    for (const job of this.#jobs) job.abort(new JobStoppedError('The service is shutting down.'));
  }

  #look(): void {
    for (const job of this.#jobs) job.lookForCancellation();
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookForJobsToPreempt()
      // Running jobs continue; the next check may succeed.
      .catch((error: unknown) => this.#logger.event('job.surplus_unknown', { reason: describeError(error) }))
      .finally(() => (this.#isLooking = false));
  }

  async #lookForJobsToPreempt(): Promise<void> {
    for (const org of new Set([...this.#jobs].map(({ job }) => job.org))) {
      const jobsToPreempt = (await this.#organisations?.jobsToPreempt(org)) ?? [];
      for (const running of this.#jobs) {
        const { kind, jobId } = running.job;
        const mustPreempt = jobsToPreempt.some((other) => other.kind === kind && other.jobId === jobId);
        if (running.job.org === org && mustPreempt) running.preempt();
      }
    }
  }
}
