import { isRefusal } from '../../clients/call-error.js';
import { describeError, ServiceUnavailableError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import { observed, type Observer } from '../../base/observation.js';
import { failureCount } from '../record/job-failures.js';
import type { JobIdentity, JobRecord } from '../record/job-record.js';
import type { ClaimOutcome, JobStore } from '../record/job-store.js';
import { splitFingerprint } from '../record/fingerprint.js';
import { keyPrefixOf } from '../record/keyed-job-id.js';
import { WAIT_MS, type OrganisationJobs } from '../record/organisation-jobs.js';
import { isHandled } from '../record/transitions.js';
import { Claims, type ClaimsOptions, type JobRequest } from './claims.js';
import { GIVEN_UP, itemsOf, resultOf } from '../record/job-ends.js';
import { JobStoppedError, LeaseLostError, type JobExecution } from '../job.js';
import { endOfRun, type JobReply } from './job-reply.js';
import { Patience } from './patience.js';
import { present } from '../record/stored-fields.js';
import { RunningJobs, type RunningJob } from './running-jobs.js';

/** Dependencies and limits. Times are milliseconds. */
export interface JobRunnerOptions extends ClaimsOptions {
  readonly jobStore: JobStore;
  /** Absent if organisations do not share the store. */
  readonly organisations?: Pick<OrganisationJobs, 'waitMs' | 'jobsToPreempt'>;
  readonly logger: Logger;
  /** Maximum time for which an outage of a backend is waited out. */
  readonly patienceMs: number;
  readonly observer?: Observer | undefined;
}

/** Facts of a job that decide whether its body is read. */
export interface SeenJob {
  /** Wait for the running jobs of its organisation, in milliseconds; 0 if it runs, was handled, or may run now. */
  readonly waitMs: number;
  /** Time left of its lease, in milliseconds; 0 without one, or if a claim may change that. */
  readonly runningMs: number;
  readonly isOrdered: boolean;
}

const NO_RECORD = { record: undefined, leaseLeftMs: 0 };

type Claimed = Extract<ClaimOutcome, { outcome: 'claimed' }>;

/** Pauses before a job whose key is unknown, or that another process has taken over, may be tried again. */
const KEY_PAUSE_MS = 10_000;
const RETRY_SOON_MS = 1_000;

/** Number of lost leases from which a job runs alone, so that others do not lose theirs with it. */
const ALONE_FROM = 2;

/** Claims jobs, runs them under a lease and stores their ends. `record/transitions.ts` has the life of a record. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #claims: Claims;
  readonly #jobs: RunningJobs;
  readonly #underWay = new Map<JobRequest, Promise<unknown>>();
  #progressedAt = -Infinity;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#claims = new Claims(options);
    this.#jobs = new RunningJobs(options.organisations, options.logger);
  }

  /** Looks at a job before any work on it. @throws {ServiceUnavailableError} when the store cannot be reached */
  async look(named: Pick<JobIdentity, 'kind' | 'org'> & { readonly jobId: string | undefined }): Promise<SeenJob> {
    const { jobStore, organisations, leaseMs } = this.#options;
    const { jobId } = named;
    const job = jobId === undefined ? undefined : { ...named, jobId };
    const [waitMs = 0, { record, leaseLeftMs } = NO_RECORD] = await Promise.all([
      organisations?.waitMs(named),
      job && jobStore.look(job),
    ]);
    // A claim may change a lease whose grant had no answer, and one that a wrong clock made too long.
    const mayClaim = leaseLeftMs > leaseMs || (job !== undefined && this.#claims.isUnanswered(job));
    return {
      waitMs: record?.lease !== undefined || isHandled(record) ? 0 : waitMs,
      runningMs: mayClaim ? 0 : leaseLeftMs,
      isOrdered: record?.orderedBy !== undefined,
    };
  }

  /** True while a job runs alone, and callbacks of other jobs should come again. */
  get isExclusive(): boolean {
    return this.#jobs.isExclusive;
  }

  /**
   * Runs the job unless it has been or is being run.
   *
   * @throws {ServiceUnavailableError} when the store cannot be reached, or the process is shutting down
   * @throws errors of the job, whose lease is released before
   */
  handle(request: JobRequest): Promise<JobReply> {
    const reply = this.#claimAndRun(request);
    this.#underWay.set(request, reply);
    const forget = (): boolean => this.#underWay.delete(request);
    reply.then(forget, forget);
    return reply;
  }

  get running(): number {
    return this.#underWay.size;
  }

  /** `performance.now()` of the last start or saved progress; `-Infinity` before. */
  get progressedAt(): number {
    return this.#progressedAt;
  }

  /** Lets jobs stop at their next item, cuts them off after `graceMs`, and resolves when none is left. None begins. */
  async drain(graceMs: number): Promise<void> {
    this.#jobs.stop();
    const timer = setTimeout(() => this.#jobs.cutOff(), graceMs);
    await Promise.allSettled(this.#underWay.values());
    clearTimeout(timer);
  }

  async #claimAndRun(request: JobRequest): Promise<JobReply> {
    if (this.#jobs.isStopping) throw new ServiceUnavailableError('The service', 'draining');
    const { job, claim } = await this.#claims.claim(request);
    const { jobId } = job;
    switch (claim.outcome) {
      case 'conflict':
      case 'refused':
      case 'outdated':
        return { jobId, outcome: claim.outcome };
      case 'unknown key':
        request.log.event('job.key_unknown', { ...job });
        return { jobId, outcome: 'unknown key', retryAfterMs: KEY_PAUSE_MS };
      case 'must wait':
      case 'running':
        return { jobId, outcome: claim.outcome, retryAfterMs: claim.retryAfterMs };
      case 'given up':
        if (claim.record.state !== 'finished') await this.#giveUp(request, job, claim.record);
        return { jobId, outcome: 'given up' };
      case 'finished':
        return { jobId, outcome: 'handled', result: claim.result, replayed: true };
      case 'claimed': {
        const { observer, keyRing } = this.#options;
        const { createdAt, attempt, fingerprint, total } = claim.record;
        const { kid } = splitFingerprint(fingerprint);
        if (kid !== undefined) keyRing.used('job-fingerprint', kid);
        const run = (): Promise<JobReply> => this.#run(request, job, claim);
        return observed(observer, 'run', { job, attempt, createdAt, total }, run, (settled) =>
          endOfRun(settled, total),
        );
      }
    }
  }

  async #giveUp({ log }: JobRequest, job: JobIdentity, record: JobRecord): Promise<void> {
    const { attempt, lostLeases = 0 } = record;
    const ended = await this.#options.jobStore.fail(job, record, GIVEN_UP);
    if (ended) log.event('job.given_up', { ...job, attempt, lostLeases });
  }

  /** Runs a claimed job under its lease, and stores its outcome. @throws errors of the job, after the release */
  async #run(request: JobRequest, job: JobIdentity, claimed: Claimed): Promise<JobReply> {
    const { jobStore, leaseMs, deadlineMs } = this.#options;
    const { work } = request;
    const { fencingToken, record } = claimed;
    const { createdAt, attempt, checkpoint, lostLeases = 0 } = record;
    const { jobId, kind, org } = job;
    const log = request.log.child({ jobId, kind, org, attempt });
    const begunAt = performance.now();
    const duration = () => ({ durationMs: Math.round(performance.now() - begunAt) });
    const running = this.#jobs.begin({
      job,
      resumes: work.resumes,
      wasCancelled: record.cancelledAt !== undefined,
      leaseMs,
      deadlineMs,
      renew: () => jobStore.renew(job, fencingToken, leaseMs),
      isCancelled: () => jobStore.isCancelled(job),
      log,
    });
    try {
      if (lostLeases >= ALONE_FROM) {
        // Callbacks that claim their jobs now hold leases in a moment.
        const others = [...this.#underWay].flatMap(([other, reply]) => (other === request ? [] : [reply]));
        await this.#jobs.beginExclusiveRun(running, others, leaseMs);
      }
      this.#progressedAt = performance.now();
      log.event('job.started', { items: work.total, resumed: checkpoint !== undefined });
      const end = await work.run(this.#executionOf(request, job, claimed, running, log));
      const failedItems = failureCount(end.failures);
      const result = resultOf(end);
      if (!(await jobStore.finish(job, fencingToken, result))) throw takenOver();
      log.event('job.finished', {
        outcome: failedItems === 0 ? 'Success' : 'Failure',
        items: work.total,
        failedItems,
        ...(running.cancelled.aborted && { cancelledItems: itemsOf(work.total, result).cancelled }),
        ...duration(),
        sinceAcceptedMs: Date.now() - createdAt,
      });
      return { jobId, outcome: 'handled', result, replayed: false };
    } catch (thrown) {
      // The abort reason counts, not the error that the abort caused.
      const error: unknown = running.signal.aborted ? running.signal.reason : thrown;
      if (error instanceof LeaseLostError) {
        log.event('job.taken_over', duration());
        return { jobId, outcome: 'running', retryAfterMs: RETRY_SOON_MS };
      }
      // Without this the next claim would wait until the lease expires, so a failure does no harm.
      const release = jobStore.release(job, fencingToken);
      await release.catch((err: unknown) => log.event('job.lease_not_released', { err }));
      if (!(error instanceof JobStoppedError)) throw error;
      log.event(running.isPreempted ? 'job.gave_way' : 'job.stopped', duration());
      if (!running.isPreempted) return { jobId, outcome: 'stopped' };
      return { jobId, outcome: 'must wait', retryAfterMs: WAIT_MS, ...(this.isExclusive && { runsAlone: true }) };
    } finally {
      running.end();
    }
  }

  /** Returns all that the job knows of its run: progress so far, signals, and how it saves further progress. */
  #executionOf(
    { jobId: givenId }: JobRequest,
    job: JobIdentity,
    { fencingToken, items, record }: Claimed,
    running: RunningJob,
    log: Logger,
  ): JobExecution {
    const { jobStore, patienceMs, observer } = this.#options;
    const { createdAt, keyPrefix = keyPrefixOf(job, createdAt, givenId === undefined) } = record;
    const { signal, stopping, interrupted, deadline, cancelled } = running;
    const onOutage = (reason: unknown): void => log.event('job.waiting', { reason: reasonToWait(reason) });
    return {
      job,
      keyPrefix,
      createdAt,
      startedAt: record.startedAt ?? createdAt,
      fetchedAt: record.fetchedAt ?? record.startedAt ?? createdAt,
      attempt: record.attempt,
      ...present({ orderedBy: record.orderedBy }),
      checkpoint: record.checkpoint,
      doneBefore: record.done,
      items,
      signal,
      stopping,
      deadline,
      cancelled,
      log,
      observer,
      patience: new Patience({ patienceMs, interrupted, deadline, cancelled, onOutage }),
      saveProgress: async (progress) => {
        const kept = running.onStoreReply(await jobStore.checkpoint(job, fencingToken, progress));
        if (!kept) throw takenOver();
        this.#progressedAt = performance.now();
        if (progress.done > record.done) this.#jobs.endExclusiveRun(running);
      },
    };
  }
}

function takenOver(): LeaseLostError {
  return new LeaseLostError('The job was taken over.');
}

/** Returns a reason for the log, without the words of a backend: they may quote its request, passwords included. */
function reasonToWait(reason: unknown): string {
  return describeError(isRefusal(reason) ? reason.cause : reason);
}
