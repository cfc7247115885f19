/** One run of a job: what it is given, how it ends, and what it leaves behind. Time passes only when a test says so. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { textOf } from '../../../src/base/error-table.js';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import type { JobEnd } from '../../../src/jobs/record/job-ends.js';
import type { JobRecord } from '../../../src/jobs/record/job-record.js';
import type { JobStore } from '../../../src/jobs/record/job-store.js';
import { observerOf } from '../../../src/programs/telemetry/observers.js';
import { JobRunner, type JobRunnerOptions } from '../../../src/jobs/run/job-runner.js';
import { endOfRun, type EndedRun, type JobReply, type StartedRun } from '../../../src/jobs/run/job-reply.js';
import {
  JobCancelledError,
  JobStoppedError,
  LeaseLostError,
  type Job,
  type JobExecution,
} from '../../../src/jobs/job.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';
import { outageError, refusalError } from '../../support/failed-calls.js';

const LEASE_MS = 60_000;
const DEADLINE_MS = 600_000;
const LOOK_MS = 500;
/** The last of three items failed. */
const FAILURES = [{ from: 2, label: 'a', code: 'NotFound' }] as const;

const DONE: JobEnd = { reply: { status: 'Success' } };

let store: MemoryJobStore;
let log: CapturedLog;
let runs: JobExecution[];
let work: (execution: JobExecution) => Promise<JobEnd> | JobEnd;
let runner: JobRunner;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  store = createMemoryJobStore();
  log = captureLog();
  runs = [];
  work = () => DONE;
  runner = runnerWith();
});
afterEach(() => {
  const left = jest.getTimerCount();
  jest.useRealTimers();
  expect(left).toBe(0);
});

function runnerWith(changes: Partial<JobRunnerOptions> = {}): JobRunner {
  return new JobRunner({
    jobStore: store,
    keyRing: new KeyRing([new Uint8Array(32)]),
    logger: log.logger,
    leaseMs: LEASE_MS,
    deadlineMs: DEADLINE_MS,
    maxAttempts: 5,
    patienceMs: 0,
    ...changes,
  });
}

const job: Job = { kind: 'mobiles', itemsAt: [], accept: () => ({ kind: 'faults', faults: [] }) };

interface Delivery {
  readonly jobId?: string | undefined;
  readonly body?: unknown;
  readonly resumes?: boolean;
  readonly by?: JobRunner;
}

function deliver(delivery: Delivery = {}): Promise<JobReply> {
  const { body = ['a'], resumes = true, by = runner } = delivery;
  const jobId = 'jobId' in delivery ? delivery.jobId : 'job';
  const run = async (execution: JobExecution): Promise<JobEnd> => {
    runs.push(execution);
    return work(execution);
  };
  return by.handle({ job, org: 'acme', jobId, body, work: { total: 3, resumes, run }, log: log.logger });
}

const IDENTITY = { kind: 'mobiles', org: 'acme', jobId: 'job' } as const;

function record(): JobRecord {
  const found = store.records.get('job:{mobiles:acme:job}');
  if (found === undefined) throw new Error('It was claimed.');
  return found;
}

/** Resolves with the run that has begun. */
async function begun(count = 1): Promise<JobExecution> {
  for (let turn = 0; turn < 1_000 && runs.length < count; turn += 1) await new Promise(setImmediate);
  const last = runs[count - 1];
  if (last === undefined) throw new Error('It does not begin.');
  return last;
}

/** Work that goes on until it has to stop or to let go, or is cancelled. */
function untilTold(execution: JobExecution): Promise<JobEnd> {
  return new Promise((resolve, reject) => {
    execution.signal.addEventListener('abort', () => reject(new Error('a call that was cut off')));
    execution.stopping.addEventListener('abort', () => reject(new JobStoppedError()));
    execution.cancelled.addEventListener('abort', () => resolve(DONE));
  });
}

describe('a job that is handled', () => {
  it('has its reply kept, and answers it again without being run again', async () => {
    jest.advanceTimersByTime(5_000);
    work = () => {
      jest.advanceTimersByTime(1_234);
      return { reply: { status: 'Failure' }, failures: FAILURES };
    };
    const result = { status: 200, body: '{"status":"Failure"}', failures: FAILURES };
    expect(await deliver()).toEqual({ jobId: 'job', outcome: 'handled', result, replayed: false });
    expect(record()).toMatchObject({ state: 'finished', result });
    expect(await deliver()).toEqual({ jobId: 'job', outcome: 'handled', result, replayed: true });
    expect(runs).toHaveLength(1);
    expect(log.text()).toContain('"outcome":"Failure"');
    expect(log.text()).toContain('"durationMs":1234,');
    for (const entry of log.entries()) expect(entry).toMatchObject({ ...IDENTITY, attempt: 1 });
  });

  it('has the codes of its failed items and its warnings kept beside its reply', async () => {
    const warnings = [{ code: 'AddressesMissing', message: 'text' }] as const;
    const noted = { failures: FAILURES, warnings };
    work = () => ({ reply: {}, ...noted });
    await deliver();
    expect(record().result).toEqual({ status: 200, body: '{}', ...noted });
  });

  it('that was not cancelled has no cancelled items', async () => {
    await deliver();
    expect(log.text()).toContain('"outcome":"Success"');
    expect(log.text()).not.toContain('cancelledItems');
  });

  it('shows that its runner makes progress', async () => {
    expect(runner.progressedAt).toBe(-Infinity);
    await deliver();
    expect(runner.progressedAt).toBe(performance.now());
  });

  it('is given what is known of it, and nothing before its first attempt', async () => {
    await deliver();
    const { createdAt } = record();
    expect(runs[0]).toMatchObject({ job: IDENTITY, createdAt, attempt: 1, doneBefore: 0, items: [] });
    expect([runs[0]?.checkpoint, runs[0]?.keyPrefix]).toEqual([undefined, 'acme:job']);
  });

  it('is given at its next attempt what the one before had noted', async () => {
    const items = [{ index: 0, createdId: 7 }];
    work = async (execution) => {
      await execution.saveProgress({ done: 1, checkpoint: '{"next":1}', items });
      throw new Error('out of memory');
    };
    await expect(deliver()).rejects.toThrow('out of memory');
    work = () => DONE;
    await deliver();
    expect(runs[1]).toMatchObject({ attempt: 2, checkpoint: '{"next":1}', doneBefore: 1, items });
  });

  it('without an id of its own has keys that come back with no other job of the same content', async () => {
    const { jobId } = await deliver({ jobId: undefined });
    expect(runs[0]).toMatchObject({ job: { jobId }, keyPrefix: `acme:${jobId}:${runs[0]?.createdAt}` });
  });

  it('has the keys that its record notes from its first claim on, and those of 0.2.0 where none are noted', async () => {
    work = () => Promise.reject(new Error('out of memory'));
    await expect(deliver()).rejects.toThrow('out of memory');
    expect(record().keyPrefix).toBe('acme:job');
    const key = 'job:{mobiles:acme:job}';
    store.records.set(key, { ...record(), keyPrefix: 'noted' });
    await expect(deliver()).rejects.toThrow('out of memory');
    const { keyPrefix, ...begunBy020 } = record();
    store.records.set(key, begunBy020);
    await expect(deliver()).rejects.toThrow('out of memory');
    expect([keyPrefix, runs.map((run) => run.keyPrefix)]).toEqual(['noted', ['acme:job', 'noted', 'acme:job']]);
    expect(record()).not.toHaveProperty('keyPrefix');
  });

  it('has the time that is allowed, from its own beginning', async () => {
    work = untilTold;
    const reply = deliver();
    const { deadline, cancelled } = await begun();
    await jest.advanceTimersByTimeAsync(DEADLINE_MS - 1);
    expect(deadline.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect([deadline.aborted, cancelled.aborted]).toEqual([true, false]);
    await store.cancel(IDENTITY);
    await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
    expect(await reply).toMatchObject({ outcome: 'handled' });
  });

  it('reports that its record was made with a key from before', async () => {
    const [old, current] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    work = () => Promise.reject(new Error('out of memory'));
    await expect(deliver({ by: runnerWith({ keyRing: new KeyRing([old]) }) })).rejects.toThrow('out of memory');
    work = () => DONE;
    const used: unknown[] = [];
    const keyRing = new KeyRing([current, old], (...use) => used.push(use));
    await deliver({ by: runnerWith({ keyRing }) });
    expect(used).toEqual([['encryption', 'previous']]);
  });
});

describe('a delivery that leads to no run', () => {
  it('because its id has another body is a conflict', async () => {
    await deliver();
    expect(await deliver({ body: ['b'] })).toEqual({ jobId: 'job', outcome: 'conflict' });
  });

  it('because its key is not known here yet comes again in ten seconds, and is logged', async () => {
    await deliver({ by: runnerWith({ keyRing: new KeyRing([new Uint8Array(32).fill(1)]) }) });
    expect(await deliver()).toEqual({ jobId: 'job', outcome: 'unknown key', retryAfterMs: 10_000 });
    expect(log.text()).toContain('job.key_unknown');
  });

  it('because it runs already comes again when that lease has run out', async () => {
    work = untilTold;
    const first = deliver();
    await begun();
    store.ahead += 1_000;
    expect(await deliver()).toEqual({ jobId: 'job', outcome: 'running', retryAfterMs: LEASE_MS - 1_000 });
    await runner.drain(0);
    await first;
  });

  it('because its organisation runs enough comes again when the store says', async () => {
    const by = runnerWith({
      jobStore: { ...store, claim: () => Promise.resolve({ outcome: 'must wait', retryAfterMs: 4_000 }) },
    });
    expect(await deliver({ by })).toEqual({ jobId: 'job', outcome: 'must wait', retryAfterMs: 4_000 });
    expect(runs).toEqual([]);
  });

  it('because the process stops comes again elsewhere', async () => {
    await runner.drain(0);
    const refusal = deliver();
    await expect(refusal).rejects.toThrow(ServiceUnavailableError);
    await expect(refusal).rejects.toMatchObject({ cause: { message: 'draining' } });
    expect([runs, store.records.size, runner.running]).toEqual([[], 0, 0]);
  });
});

describe('who watches jobs', () => {
  let told: (StartedRun | EndedRun)[];
  beforeEach(() => {
    told = [];
    const observer = observerOf({
      run(start) {
        told.push(start);
        return { within: (run) => run(), finish: (end) => void told.push(end) };
      },
    });
    runner = runnerWith({ observer });
  });

  it('hears of each run and of its end, and of nothing that is not run', async () => {
    work = () => ({ reply: {}, failures: FAILURES });
    await deliver();
    await deliver();
    await deliver({ body: ['b'] });
    expect(told).toEqual([
      { job: IDENTITY, attempt: 1, createdAt: record().createdAt, total: 3 },
      { outcome: 'finished', items: { done: 2, failed: 1, cancelled: 0 } },
    ]);
  });

  it('hears of the error that a run ended with', async () => {
    const error = new Error('at line 5');
    work = () => Promise.reject(error);
    await expect(deliver()).rejects.toBe(error);
    expect(told.at(-1)).toEqual({ outcome: 'failed', error });
  });

  it.each<[reply: JobReply['outcome'], outcome: EndedRun['outcome']]>([
    ['running', 'taken_over'],
    ['must wait', 'gave_way'],
    ['stopped', 'stopped'],
    ['conflict', 'failed'],
  ])('hears of the reply %s as %s, and nothing of items', (reply, outcome) => {
    const value = { jobId: 'job', outcome: reply, retryAfterMs: 1 } as JobReply; // the fields of each that is no end
    expect(endOfRun({ value }, 3)).toStrictEqual({ outcome });
  });

  it.each<[failed: number, cancelled: number, outcome: EndedRun['outcome']]>([
    [0, 0, 'finished'],
    [2, 1, 'nothing_done'],
    [0, 3, 'finished'],
  ])('hears of %i items that failed, and %i that were cancelled', (failed, cancelled, outcome) => {
    const failures = [
      ...Array.from({ length: failed }, (_, from) => ({ from, code: 'NotFound' as const })),
      ...(cancelled > 0
        ? [{ from: failed, to: failed + cancelled - 1, code: 'Cancelled' as const, reason: 'NotBegun' }]
        : []),
    ];
    const result = { status: 200, body: '{}', failures };
    const value: JobReply = { jobId: 'job', outcome: 'handled', replayed: false, result };
    const items = { done: 3 - failed - cancelled, failed, cancelled };
    expect(endOfRun({ value }, 3)).toStrictEqual({ outcome, items });
  });
});

describe('a job that another process has taken over', () => {
  const ELSEWHERE = { jobId: 'job', outcome: 'running', retryAfterMs: 1_000 };

  /** As another process does it, once the lease is over. */
  async function takeOver(): Promise<void> {
    store.ahead += LEASE_MS;
    const { fingerprint, retentionMs } = record();
    const wanted = { fingerprints: [fingerprint], total: 3, leaseMs: LEASE_MS, retentionMs, nonce: 'other' } as const;
    expect(await store.claim(IDENTITY, wanted)).toMatchObject({ outcome: 'claimed' });
  }

  it('cannot end here any more', async () => {
    work = async () => {
      await takeOver();
      return DONE;
    };
    expect(await deliver()).toEqual(ELSEWHERE);
    expect(record()).toMatchObject({ state: 'running', attempt: 2 });
  });

  it('cannot note anything here any more, and its new lease stays', async () => {
    let thrown: unknown;
    work = async (execution) => {
      await takeOver();
      await execution.saveProgress({ done: 1, checkpoint: '{}' }).catch((error: unknown) => (thrown = error));
      throw thrown;
    };
    expect(await deliver()).toEqual(ELSEWHERE);
    expect(thrown).toBeInstanceOf(LeaseLostError);
    expect(record()).toMatchObject({ done: 0, attempt: 2, lease: { fencingToken: '2.other' } });
  });

  it('is let go at the next renewal, whatever it fails with then', async () => {
    work = untilTold;
    const reply = deliver();
    const { signal, stopping } = await begun();
    await takeOver();
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(await reply).toEqual(ELSEWHERE);
    expect([signal.reason, stopping.aborted]).toEqual([expect.any(LeaseLostError), false]);
  });
});

describe('a job that was cancelled', () => {
  it('before it was claimed knows that at once', async () => {
    work = () => Promise.reject(new Error('out of memory'));
    await expect(deliver()).rejects.toThrow('out of memory');
    await store.cancel(IDENTITY);
    work = ({ cancelled }) => {
      expect(cancelled.reason).toBeInstanceOf(JobCancelledError);
      return { ...DONE, failures: [{ from: 0, to: 2, code: 'Cancelled', reason: 'NotBegun' }] };
    };
    expect(await deliver()).toMatchObject({ outcome: 'handled' });
    expect(log.text()).toContain('job.winding_up');
    expect(log.text()).toContain('"cancelledItems":3');
  });

  it.each<[string, (execution: JobExecution) => Promise<unknown>]>([
    ['when it notes something', (execution) => execution.saveProgress({ done: 1, checkpoint: '{}' })],
    ['by asking, while it notes nothing', () => jest.advanceTimersByTimeAsync(2 * LOOK_MS)],
  ])('meanwhile knows that %s', async (_when, pass) => {
    work = async (execution) => {
      await store.cancel(IDENTITY);
      expect(execution.cancelled.aborted).toBe(false);
      await pass(execution);
      expect(execution.cancelled.aborted).toBe(true);
      return DONE;
    };
    expect(await deliver()).toMatchObject({ outcome: 'handled' });
  });

  it('meanwhile knows that when its lease is renewed, also while the store answers nothing else', async () => {
    work = async ({ cancelled }) => {
      await store.cancel(IDENTITY);
      store.broken.set('isCancelled', Infinity);
      await jest.advanceTimersByTimeAsync(LEASE_MS / 3 - 1);
      expect(cancelled.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(cancelled.aborted).toBe(true);
      return DONE;
    };
    expect(await deliver()).toMatchObject({ outcome: 'handled' });
  });

  it('waits out no outage any more', async () => {
    const error = outageError({ httpStatus: 503 });
    runner = runnerWith({ patienceMs: DEADLINE_MS });
    work = async ({ patience }) => {
      const call = patience.run(() => Promise.reject(error));
      await store.cancel(IDENTITY);
      await expect(Promise.all([call, jest.advanceTimersByTimeAsync(2 * LOOK_MS)])).rejects.toBe(error);
      return DONE;
    };
    expect(await deliver()).toMatchObject({ outcome: 'handled' });
  });
});

describe('a job that waits for a backend', () => {
  it.each([
    ['an outage', outageError({ httpStatus: 503 }), 'backend-api is temporarily unavailable'],
    [
      'a refusal, without the words of the backend',
      refusalError(429, 'the password "top-secret" is busy'),
      '"reason":"backend-api answered 429"',
    ],
  ])('logs %s', async (_what, error, reason) => {
    work = async ({ patience }) => {
      await expect(patience.run(() => Promise.reject(error))).rejects.toBe(error);
      return DONE;
    };
    await deliver();
    expect(log.text()).toContain('job.waiting');
    expect(log.text()).toContain(reason);
    expect(log.text()).not.toContain('top-secret');
  });

  it('waits no longer than until it is stopped', async () => {
    runner = runnerWith({ patienceMs: DEADLINE_MS });
    work = ({ patience }) => patience.run(() => Promise.reject(outageError()));
    const reply = deliver();
    await begun();
    const draining = runner.drain(DEADLINE_MS);
    expect(await reply).toEqual({ jobId: 'job', outcome: 'stopped' });
    await draining;
  });
});

describe('a runner that drains', () => {
  it('lets its jobs stop at their next item, and gives their leases back', async () => {
    work = untilTold;
    const reply = deliver();
    const { signal } = await begun();
    expect(runner.running).toBe(1);
    await runner.drain(DEADLINE_MS);
    expect(await reply).toEqual({ jobId: 'job', outcome: 'stopped' });
    expect([signal.aborted, record().lease, runner.running]).toEqual([false, undefined, 0]);
  });

  it('cuts off what has not stopped when the time for that is over', async () => {
    work = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut off'))));
    const reply = deliver();
    const { signal } = await begun();
    let isDrained = false;
    const draining = runner.drain(5_000).then(() => (isDrained = true));
    await jest.advanceTimersByTimeAsync(4_999);
    expect([signal.aborted, isDrained]).toEqual([false, false]);
    await jest.advanceTimersByTimeAsync(1);
    await draining;
    expect(await reply).toEqual({ jobId: 'job', outcome: 'stopped' });
  });
});

describe('a job of an organisation that runs more than its share', () => {
  beforeEach(() => {
    const organisations = { waitMs: () => Promise.resolve(0), jobsToPreempt: () => Promise.resolve([IDENTITY]) };
    runner = runnerWith({ organisations });
    work = untilTold;
  });

  it.each([
    ['stops at its next item when it goes on where it was', true],
    ['is let go at once when it is begun anew', false],
  ])('%s, and comes again in a second', async (_how, resumes) => {
    const reply = deliver({ resumes });
    const { signal, stopping } = await begun();
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(await reply).toEqual({ jobId: 'job', outcome: 'must wait', retryAfterMs: 1_000 });
    expect([stopping.aborted, signal.aborted]).toEqual([resumes, !resumes]);
    expect(record().lease).toBeUndefined();
  });
});

describe('a job under which gateways die', () => {
  const dead: JobRunner[] = [];
  let end: () => void;

  /** Lets gateways die under the job: none of them ends its run or gives its lease back. */
  async function lose(gateways: number): Promise<void> {
    work = (execution) =>
      new Promise((_resolve, reject) => {
        execution.signal.addEventListener('abort', () => reject(new Error('a call that was cut off')));
      });
    for (let count = runs.length + 1; gateways > 0; count += 1, gateways -= 1) {
      const gateway = runnerWith();
      dead.push(gateway);
      void deliver({ by: gateway }).catch(() => undefined);
      await begun(count);
      store.ahead += LEASE_MS + 1;
    }
    work = untilTold;
  }

  beforeEach(() => {
    end = () => undefined;
  });
  afterEach(async () => {
    const ended = dead.splice(0).map((gateway) => gateway.drain(0));
    await jest.advanceTimersByTimeAsync(0);
    await Promise.all(ended);
  });

  /** Delivers the job, which then runs until the test ends it. */
  function deliverSuspect(): Promise<JobReply> {
    work = () => new Promise((resolve) => (end = () => resolve(DONE)));
    return deliver();
  }

  it('runs alone from the second one on: others give way, and come again until it gets further', async () => {
    await lose(2);
    const neighbour = deliver({ jobId: 'neighbour' });
    await begun(3);
    const reply = deliverSuspect();
    expect(await neighbour).toEqual({ jobId: 'neighbour', outcome: 'must wait', retryAfterMs: 1_000, runsAlone: true });
    const execution = await begun(4);
    expect([runner.isExclusive, record().lostLeases]).toEqual([true, 2]);
    work = ({ stopping }) => Promise.reject(stopping.reason as Error);
    expect(await deliver({ jobId: 'later' })).toMatchObject({ outcome: 'must wait', runsAlone: true });

    await execution.saveProgress({ done: 0, checkpoint: '0' });
    expect(runner.isExclusive).toBe(true);
    await execution.saveProgress({ done: 1, checkpoint: '1' });
    expect([runner.isExclusive, record().lostLeases]).toEqual([false, undefined]);
    end();
    expect(await reply).toMatchObject({ outcome: 'handled' });
  });

  it('waits for a claim under way, so that it never runs beside the lease of another job', async () => {
    await lose(2);
    let granted = (): void => undefined;
    const until = new Promise<void>((resolve) => (granted = resolve));
    const claim: JobStore['claim'] = async (wanted, request) => {
      const claimed = await store.claim(wanted, request);
      if (wanted.jobId === 'neighbour') await until;
      return claimed;
    };
    runner = runnerWith({ jobStore: { ...store, claim } });
    const neighbour = deliver({ jobId: 'neighbour' });
    work = (execution) =>
      execution.stopping.aborted ? Promise.reject(execution.stopping.reason as Error) : Promise.resolve(DONE);
    const reply = deliver();
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(runs).toHaveLength(2);
    granted();
    expect(await neighbour).toMatchObject({ outcome: 'must wait', runsAlone: true });
    expect(await reply).toMatchObject({ outcome: 'handled' });
    expect(store.records.get('job:{mobiles:acme:neighbour}')?.lease).toBeUndefined();
  });

  it('runs alone for as long as a lease at most', async () => {
    await lose(2);
    const reply = deliverSuspect();
    await begun(3);
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(runner.isExclusive).toBe(true);
    await jest.advanceTimersByTimeAsync(1);
    expect(runner.isExclusive).toBe(false);
    end();
    await reply;
  });

  it('runs beside others after the first one, and lets others in when it ends', async () => {
    await lose(1);
    const first = deliverSuspect();
    await begun(2);
    expect(runner.isExclusive).toBe(false);
    end();
    await first;
    expect(runner.isExclusive).toBe(false);
  });

  it('is given up at the fifth: its record ends with what is known of it, and it is not run', async () => {
    await lose(5);
    expect(await deliver()).toEqual({ jobId: 'job', outcome: 'given up' });
    const body = JSON.stringify({ message: textOf('JobGivenUp') });
    const failures = [
      { from: 0, to: 1, code: 'InternalError', reason: 'NotKnownGivenUp' },
      { from: 2, code: 'InternalError', reason: 'NotBegunGivenUp' },
    ];
    const result = { status: 500, body, failures };
    expect(record()).toMatchObject({ state: 'finished', lostLeases: 5, result });
    // The last two updates of mobiles may have been carried out.
    expect(JSON.parse(record().result?.unsentReply ?? '')).toEqual({
      status: 'Failure',
      errors: [
        '[0] not known to be done, the job was given up',
        '[1] not known to be done, the job was given up',
        '[2] not done, the job was given up',
      ],
    });
    expect(await deliver()).toEqual({ jobId: 'job', outcome: 'given up' });
    expect(runs).toHaveLength(5);
    expect(log.complaints().filter((event) => event === 'job.given_up')).toHaveLength(1);
  });
});

describe('the wait of a job before it is claimed', () => {
  const WAIT_MS = 3_000;
  let waiting: JobRunner;
  const waitOf = async (from: JobRunner, ...named: Parameters<JobRunner['look']>) => (await from.look(...named)).waitMs;
  beforeEach(() => {
    const organisations = { waitMs: () => Promise.resolve(WAIT_MS), jobsToPreempt: () => Promise.resolve([]) };
    waiting = runnerWith({ organisations });
  });

  it('is none where organisations are not kept apart', async () => expect(await waitOf(runner, IDENTITY)).toBe(0));

  it('is that of its organisation, also when it has no id yet', async () => {
    expect(await waitOf(waiting, IDENTITY)).toBe(WAIT_MS);
    store.broken.set('look', 1);
    expect(await waitOf(waiting, { ...IDENTITY, jobId: undefined })).toBe(WAIT_MS);
  });

  it('is none while it runs, and when it was handled, so that it gets its reply', async () => {
    work = async () => {
      expect(await waitOf(waiting, IDENTITY)).toBe(0);
      return DONE;
    };
    await deliver();
    expect(await waitOf(waiting, IDENTITY)).toBe(0);
  });

  it('is that of its organisation when it stopped, or is a dead letter', async () => {
    work = () => Promise.reject(new Error('out of memory'));
    await expect(deliver()).rejects.toThrow('out of memory');
    expect(await waitOf(waiting, IDENTITY)).toBe(WAIT_MS);
    const { fingerprint, retentionMs } = record();
    await store.fail(IDENTITY, { total: 3, fingerprint, retentionMs }, { status: 500, body: '{}' });
    expect(await waitOf(waiting, IDENTITY)).toBe(WAIT_MS);
  });
});

describe('the remaining time of a running job', () => {
  it('is that of its lease, and 0 before and after its run', async () => {
    expect((await runner.look(IDENTITY)).runningMs).toBe(0);
    work = async () => {
      expect((await runner.look(IDENTITY)).runningMs).toBe(LEASE_MS);
      store.ahead += 1_000;
      expect((await runner.look(IDENTITY)).runningMs).toBe(LEASE_MS - 1_000);
      return DONE;
    };
    await deliver();
    expect(runs).toHaveLength(1);
    expect((await runner.look(IDENTITY)).runningMs).toBe(0);
  });

  it('is 0 for a lease that is longer than a lease can be, which a claim shortens', async () => {
    work = async () => {
      expect((await runner.look(IDENTITY)).runningMs).toBe(0);
      return DONE;
    };
    await deliver({ by: runnerWith({ leaseMs: 2 * LEASE_MS }) });
    expect(runs).toHaveLength(1);
  });
});
