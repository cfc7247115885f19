import { JobStoppedError } from '../job.js';

/** Signals of one running job; they end with it. */
export interface JobSignals {
  /** Aborted when the job has to let go at once. */
  readonly signal: AbortSignal;
  /** Aborted when it should stop at the next item. */
  readonly stopping: AbortSignal;
  /** Aborted with the reason in both cases: ends every wait. */
  readonly interrupted: AbortSignal;
  /** Aborted when its time is over. */
  readonly deadline: AbortSignal;
  /** Makes the job stop at the next item. */
  stop(reason: JobStoppedError): void;
  /** Makes the job let go. */
  letGo(reason: Error): void;
  /** Forgets the job. */
  end(): void;
}

/**
 * Running jobs of this process. Each has signals of its own: signals derived from a process-wide one with
 * `AbortSignal.any` would stay in memory for the life of the process.
 */
export class RunningJobs {
  readonly #jobs = new Set<{ stop(reason: Error): void; letGo(reason: Error): void }>();
  #stopReason: JobStoppedError | undefined;

  /** True if no further job should begin. */
  get isStopping(): boolean {
    return this.#stopReason !== undefined;
  }

  /** Creates the signals of a job. @param deadlineMs maximum run time, in milliseconds */
  begin(deadlineMs: number): JobSignals {
    const [stopping, cutOff] = [new AbortController(), new AbortController()];
    const [interrupted, deadline] = [new AbortController(), new AbortController()];
    const job = {
      stop: (reason: Error): void => {
        stopping.abort(reason);
        interrupted.abort(reason);
      },
      letGo: (reason: Error): void => {
        cutOff.abort(reason);
        interrupted.abort(reason);
      },
    };
    this.#jobs.add(job);
    if (this.#stopReason !== undefined) job.stop(this.#stopReason);
    const timer = setTimeout(() => deadline.abort(new Error('The time allowed for the job is over.')), deadlineMs);
    return {
      signal: cutOff.signal,
      stopping: stopping.signal,
      interrupted: interrupted.signal,
      deadline: deadline.signal,
      stop: job.stop,
      letGo: job.letGo,
      end: () => {
        clearTimeout(timer);
        this.#jobs.delete(job);
      },
    };
  }

  /** Asks every job to stop at its next item. */
  stop(): void {
    const reason = (this.#stopReason ??= new JobStoppedError('The service is shutting down.'));
    for (const job of this.#jobs) job.stop(reason);
  }

  /** Makes every job let go at once. */
  cutOff(): void {
    for (const job of this.#jobs) job.letGo(new JobStoppedError('The service is shutting down.'));
  }
}
