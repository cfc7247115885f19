import { expect } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { pollJob, startJob, type JobGateway, type PolledStatus, type StartedKind } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

/** As a front end polls that wants to know soon; the job needs the processor too. */
const POLL_MS = 100;
/** As long as a job stands still, there is nothing to miss. */
const STANDSTILL_POLL_MS = 400;

/** Polls of a job that stands still, in which it has to be seen to stand still. */
const STANDSTILL_POLLS = 5;

/** What a poll found, and when. */
interface Poll {
  /** Milliseconds that only grow. */
  readonly at: number;
  readonly status: PolledStatus;
}

/** A job that is polled from its start to its end. */
export class WatchedJob {
  readonly jobId: string;
  /** Resolves with the last poll; rejects when the job cannot be polled, or has not ended in time. */
  readonly ended: Promise<PolledStatus>;
  readonly #polls: Poll[] = [];

  private constructor(gateway: JobGateway, kind: StartedKind, jobId: string, limitMs: number) {
    this.jobId = jobId;
    this.ended = this.#poll(gateway, kind, limitMs);
    // Whoever waits for it learns of it then.
    this.ended.catch(() => undefined);
  }

  static async start(gateway: JobGateway, kind: StartedKind, value: unknown, limitMs: number): Promise<WatchedJob> {
    const { jobId } = await startJob(gateway, kind, value);
    return new WatchedJob(gateway, kind, jobId, limitMs);
  }

  /** Items done, as the last poll found. */
  get done(): number {
    return this.#polls.at(-1)?.status.progress.done ?? 0;
  }

  /** Resolves when several polls in a row, since a moment, have found the job running and no further. */
  async standsStill(since: number): Promise<void> {
    await waitFor(`job ${this.jobId} to stand still`, () => {
      const last = this.#polls.filter(({ at }) => at >= since).slice(-STANDSTILL_POLLS);
      return last.length === STANDSTILL_POLLS && last.every(({ status }) => standsAt(status, this.done));
    });
  }

  /** Fails unless progress never went back, and the job never seemed to have ended before it had. */
  expectSteadyProgress(): void {
    const statuses = this.#polls.map(({ status }) => status);
    const done = statuses.map(({ progress }) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(statuses.slice(0, -1).filter(({ completed }) => completed)).toEqual([]);
  }

  #hasMoved(): boolean {
    const [before, last] = this.#polls.slice(-2);
    return before?.status.progress.done !== last?.status.progress.done || last === undefined;
  }

  async #poll(gateway: JobGateway, kind: StartedKind, limitMs: number): Promise<PolledStatus> {
    return waitFor(
      `job ${this.jobId} to end`,
      async () => {
        await delay(this.#hasMoved() ? POLL_MS : STANDSTILL_POLL_MS);
        const at = performance.now();
        const status = await pollJob(gateway, kind, this.jobId);
        this.#polls.push({ at, status });
        return status.completed && status;
      },
      limitMs,
    );
  }
}

function standsAt({ state, completed, status, progress }: PolledStatus, done: number): boolean {
  return state === 'RUNNING' && !completed && status === null && progress.done === done;
}
