/** The fate of a job whose store fails at any of its steps; the test decides when. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import { runBulk } from '../../../src/jobs/kinds/run-bulk.js';
import type { Job, JobExecution } from '../../../src/jobs/job.js';
import { present } from '../../../src/jobs/record/stored-fields.js';
import { JobRunner } from '../../../src/jobs/run/job-runner.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { waitFor } from '../../support/wait-for.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';

/** Its end is waited for once; until then it is renewed, on a busy machine as well. */
const LEASE_MS = 1_500;

let store: MemoryJobStore;
let runner: JobRunner;
let repeatable: boolean;
let log: CapturedLog;
/** The items that were done, and whether each was in doubt. */
let done: [item: string, inDoubt: boolean][];
let before: (item: string, execution: JobExecution) => Promise<void> | void;

beforeEach(() => {
  store = createMemoryJobStore();
  repeatable = false;
  log = captureLog();
  done = [];
  before = () => undefined;
  runner = new JobRunner({
    jobStore: store,
    keyRing: new KeyRing([new Uint8Array(32)]),
    logger: log.logger,
    leaseMs: LEASE_MS,
    deadlineMs: 60_000,
    maxAttempts: 5,
    patienceMs: 0,
  });
});
afterEach(() => runner.drain(0));

const job: Job = { kind: 'mobiles', itemsAt: [], accept: () => ({ kind: 'faults', faults: [] }) };

/** Delivers a bulk job of texts. @returns its outcome, or that the store was away */
async function deliver(items: readonly string[]): Promise<string> {
  const run = async (execution: JobExecution) => {
    const apply = async (item: string, { inDoubt }: { readonly inDoubt: boolean }): Promise<undefined> => {
      await before(item, execution);
      done.push([item, inDoubt]);
    };
    const { errors, failures } = await runBulk<string>({ items, repeatable, label: String, apply }, execution);
    return { reply: { errors }, ...present({ failures }) };
  };
  const work = { total: items.length, resumes: true, run };
  try {
    const reply = await runner.handle({ job, org: undefined, jobId: 'job', body: items, work, log: log.logger });
    return reply.outcome === 'handled' ? `handled ${reply.result.body}` : reply.outcome;
  } catch (error) {
    if (error instanceof ServiceUnavailableError) return AWAY;
    throw error;
  }
}

const AWAY = 'the store is away';
const SUCCESS = 'handled {"errors":[]}';

const items = (): string[] => done.map(([item]) => item);
const record = () => store.records.get('job:{mobiles::job}');

describe('while the store cannot be reached', () => {
  it('a delivery says so, and nothing is run', async () => {
    store.broken.set('claim', 3);
    expect(await deliver(['a', 'b'])).toBe(AWAY);
    expect(done).toEqual([]);
    expect(await deliver(['a', 'b'])).toBe(SUCCESS);
    expect(items()).toEqual(['a', 'b']);
  });

  it.each([
    ['broken', 2],
    ['unanswered', 1],
    ['unanswered', 2],
  ] as const)('for a moment, a claim that is %s %d times is asked for again as the same one', async (how, times) => {
    store[how].set('claim', times);
    expect(await deliver(['a', 'b'])).toBe(SUCCESS);
    expect(record()).toMatchObject({ attempt: 1 });
  });

  it('for longer, the next delivery has what the lost answer granted, and no other one of the same time', async () => {
    store.unanswered.set('claim', 1);
    store.broken.set('claim', 0);
    const lost = deliver(['a', 'b']);
    await waitFor('the claim', () => store.unanswered.get('claim') === 0);
    store.broken.set('claim', 2);
    expect(await lost).toBe(AWAY);
    let other: unknown;
    before = async (item) => {
      if (item === 'a') other = await deliver(['a', 'b']);
    };
    expect(await deliver(['a', 'b'])).toBe(SUCCESS);
    expect(other).toBe('running');
    expect(items()).toEqual(['a', 'b']);
    expect(record()).toMatchObject({ attempt: 1 });
  });

  it('after an item, the job stops; the next delivery repeats that item as one in doubt', async () => {
    before = (item) => {
      if (item === 'b') store.broken.set('checkpoint', 1);
    };
    expect(await deliver(['a', 'b', 'c'])).toBe(AWAY);
    before = () => undefined;
    expect(await deliver(['a', 'b', 'c'])).toBe(SUCCESS);
    expect(done).toEqual([
      ['a', false],
      ['b', false],
      ['b', true],
      ['c', false],
    ]);
  });

  it.each(['b', 'c', 'd'])(
    'after item %s of those that may be repeated, the job stops, and the next delivery repeats two at most',
    async (last) => {
      repeatable = true;
      before = (item) => {
        if (item === last) store.broken.set('checkpoint', 1);
      };
      const all = ['a', 'b', 'c', 'd', 'e', 'f'];
      expect(await deliver(all)).toBe(AWAY);
      const [begun, noted] = [items().length, record()?.done ?? 0];
      expect(begun - noted).toBeLessThanOrEqual(2);
      before = () => undefined;
      expect(await deliver(all)).toBe(SUCCESS);
      expect(items()).toEqual([...all.slice(0, begun), ...all.slice(noted)]);
      expect(done.slice(begun, begun + 3).map(([, inDoubt]) => inDoubt)).toEqual([true, true, false]);
    },
  );

  it('at its end, the job has not ended; the next delivery ends it without running an item again', async () => {
    store.broken.set('finish', 1);
    expect(await deliver(['a', 'b'])).toBe(AWAY);
    expect(await deliver(['a', 'b'])).toBe(SUCCESS);
    expect(items()).toEqual(['a', 'b']);
  });

  it("when the lease is to be given back, that is not the caller's concern", async () => {
    store.broken.set('finish', 1).set('release', 1);
    expect(await deliver(['a'])).toBe(AWAY);
    expect(log.complaints()).toContain('job.lease_not_released');
    expect(await deliver(['a'])).toBe('running');
    store.ahead += LEASE_MS;
    expect(await deliver(['a'])).toBe(SUCCESS);
    expect(items()).toEqual(['a']);
  });

  it('for a moment of the lease, the job goes on', async () => {
    const renewals = (): number => log.text().split('job.lease_not_renewed').length - 1;
    before = async (item) => {
      if (item !== 'a') return;
      store.broken.set('renew', 1);
      await waitFor('a renewal that failed', () => renewals() === 1);
    };
    expect(await deliver(['a', 'b'])).toBe(SUCCESS);
    expect(items()).toEqual(['a', 'b']);
  });
});
