/** A callback over HTTP whose store is in the hand of the test. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Koa from 'koa';
import { callback } from '../../../src/http/endpoints/callback.js';
import { errorHandler } from '../../../src/http/error-handler.js';
import { RequestLog, requestLog, type GatewayState } from '../../../src/http/request-log.js';
import { runBulk } from '../../../src/jobs/kinds/bulk.js';
import { createJobRunner, type JobRunner } from '../../../src/jobs/run/job-runner.js';
import { LeaseLostError, type Job, type JobExecution, type Work } from '../../../src/jobs/job.js';
import { KeyRing } from '../../../src/config/key-ring.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { waitFor } from '../../support/wait-for.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';

/** Its end is waited for once; until then it is renewed, on a busy machine as well. */
const LEASE_MS = 1_500;

type Item = string;

let store: MemoryJobStore;
let runner: JobRunner;
/** Whether the items may be done again. */
let repeatable: boolean;
let server: Server;
let url: string;
let log: CapturedLog;
/** What was done: the item, and whether it was in doubt. */
let done: [Item, boolean][];
/** Called before an item is done. */
let before: (item: Item, execution: JobExecution) => Promise<void> | void;

beforeEach(async () => {
  store = createMemoryJobStore();
  repeatable = false;
  log = captureLog();
  done = [];
  before = () => undefined;
  runner = createJobRunner({
    jobStore: store,
    keyRing: new KeyRing([new Uint8Array(32)]),
    logger: log.logger,
    leaseMs: LEASE_MS,
    deadlineMs: 60_000,
    patienceMs: 0,
  });
  const app = new Koa<GatewayState>();
  app.use(requestLog(new RequestLog(log.logger))).use(errorHandler());
  app.use(callback(job, { runner, bodyLimit: { variable: 'LIMIT', bytes: 10_000 } }));
  const answer = app.callback();
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(async () => {
  await runner.drain(0);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
});

/** A bulk job of texts. */
const job: Job = {
  kind: 'mobiles',
  accept: (body) => ({
    kind: 'work',
    work: {
      total: 0,
      resumes: true,
      async run(execution) {
        const { errors, failedItems } = await runBulk<Item>(
          {
            items: body as Item[], // as the tests below send it
            repeatable,
            label: String,
            async apply(item, { inDoubt }) {
              await before(item, execution);
              done.push([item, inDoubt]);
              return undefined;
            },
          },
          execution,
        );
        return { reply: errors.length === 0 ? { status: 'Success' } : { status: 'Failure', errors }, failedItems };
      },
    },
  }),
};

async function deliver(
  items: readonly Item[],
  jobId = 'job',
): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-job-id': jobId },
    body: JSON.stringify(items),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

const COME_AGAIN = {
  status: 503,
  retryAfter: expect.stringMatching(/^[1-9]\d*$/),
  text: expect.not.stringContaining('unplugged'),
};
const SUCCESS = { status: 200, retryAfter: null, text: '{"status":"Success"}' };

function items(): Item[] {
  return done.map(([item]) => item);
}

describe('while the store cannot be reached', () => {
  it('a callback is 503 with Retry-After, and nothing is run', async () => {
    store.broken.set('claim', 3);
    expect(await deliver(['a', 'b'])).toEqual(COME_AGAIN);
    expect(done).toEqual([]);
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(items()).toEqual(['a', 'b']);
  });

  it('for a moment, the claim is asked for again', async () => {
    store.broken.set('claim', 2);
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(store.records.get('job:{mobiles::job}')).toMatchObject({ attempt: 1 });
  });

  it.each([1, 2])('for the answer to a claim, %d times, it is asked for again as the same one', async (times) => {
    store.unanswered.set('claim', times);
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(store.records.get('job:{mobiles::job}')).toMatchObject({ attempt: 1 });
  });

  it('for longer, the next delivery has what the lost answer granted, and no other one of the same time', async () => {
    store.unanswered.set('claim', 1);
    store.broken.set('claim', 0);
    const lost = deliver(['a', 'b']);
    await waitFor('the claim', () => store.unanswered.get('claim') === 0);
    store.broken.set('claim', 2);
    expect(await lost).toEqual(COME_AGAIN);
    let other: unknown;
    before = async (item) => {
      if (item === 'a') other = await deliver(['a', 'b']);
    };
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(other).toMatchObject({ status: 409 });
    expect(items()).toEqual(['a', 'b']);
    expect(store.records.get('job:{mobiles::job}')).toMatchObject({ attempt: 1 });
  });

  it('after an item, the job stops with 503; the next delivery repeats that item as one in doubt', async () => {
    before = (item) => {
      if (item === 'b') store.broken.set('checkpoint', 1);
    };
    expect(await deliver(['a', 'b', 'c'])).toEqual(COME_AGAIN);
    before = () => undefined;
    expect(await deliver(['a', 'b', 'c'])).toEqual(SUCCESS);
    expect(done).toEqual([
      ['a', false],
      ['b', false],
      ['b', true],
      ['c', false],
    ]);
  });

  it.each(['b', 'c', 'd'])(
    'after item %s of those that may be repeated, the job stops with 503, and the next delivery repeats two at most',
    async (last) => {
      repeatable = true;
      before = (item) => {
        if (item === last) store.broken.set('checkpoint', 1);
      };
      const all = ['a', 'b', 'c', 'd', 'e', 'f'];
      expect(await deliver(all)).toEqual(COME_AGAIN);
      const [begun, noted] = [items().length, store.records.get('job:{mobiles::job}')?.done ?? 0];
      expect(begun - noted).toBeLessThanOrEqual(2);
      before = () => undefined;
      expect(await deliver(all)).toEqual(SUCCESS);
      expect(items()).toEqual([...all.slice(0, begun), ...all.slice(noted)]);
      expect(done.slice(begun, begun + 3).map(([, inDoubt]) => inDoubt)).toEqual([true, true, false]);
    },
  );

  it('before anything was noted, the first item is in doubt as well', async () => {
    store.broken.set('checkpoint', 1);
    expect(await deliver(['a', 'b'])).toEqual(COME_AGAIN);
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(done).toEqual([
      ['a', false],
      ['a', true],
      ['b', false],
    ]);
  });

  it('at its end, the job is 503; the next delivery ends it without running an item again', async () => {
    store.broken.set('finish', 1);
    expect(await deliver(['a', 'b'])).toEqual(COME_AGAIN);
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(items()).toEqual(['a', 'b']);
  });

  it("when the lease is to be given back, that is not the caller's concern", async () => {
    store.broken.set('finish', 1).set('release', 1);
    expect(await deliver(['a'])).toEqual(COME_AGAIN);
    expect((await deliver(['a'])).status).toBe(409);
    store.ahead += LEASE_MS;
    expect(await deliver(['a'])).toEqual(SUCCESS);
    expect(items()).toEqual(['a']);
  });

  it('for a moment of the lease, the job goes on', async () => {
    const renewals = (): number => log.text().split('job.lease_not_renewed').length - 1;
    before = async (item) => {
      if (item !== 'a') return;
      store.broken.set('renew', 1);
      await waitFor('a renewal that failed', () => renewals() === 1);
    };
    expect(await deliver(['a', 'b'])).toEqual(SUCCESS);
    expect(items()).toEqual(['a', 'b']);
  });

  it('for the whole lease, the job is cut off and told to come again', async () => {
    before = (_item, { signal }) => {
      store.broken.set('renew', Infinity);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    const reply = await deliver(['a', 'b']);
    expect([reply.status, reply.retryAfter]).toEqual([409, '1']);
    expect(items()).toEqual(['a']);
  });
});

describe('an owner whose lease ran out', () => {
  it('cannot write any more: the new owner goes on, and the old one is told that the job runs elsewhere', async () => {
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let stale: JobExecution | undefined;
    before = async (item, execution) => {
      if (item !== 'b' || stale !== undefined) return;
      stale = execution;
      // As if the whole process had been paused: no renewal either.
      store.broken.set('renew', Infinity);
      store.ahead += LEASE_MS + 1;
      await asleep;
    };
    const first = deliver(['a', 'b', 'c']);
    await waitFor('the first owner to sleep', () => stale !== undefined);
    expect(await deliver(['a', 'b', 'c'])).toEqual(SUCCESS);
    const ended = store.records.get('job:{mobiles::job}');
    wake();
    expect((await first).status).toBe(409);
    await expect(stale?.saveProgress({ done: 0, checkpoint: '{}' })).rejects.toThrow(LeaseLostError);
    expect(store.records.get('job:{mobiles::job}')).toEqual(ended);
    expect(items().filter((item) => item === 'c')).toHaveLength(1);
  });
});

describe('a job that throws what it should not', () => {
  it('is 500 without the text, and gives its lease back at once', async () => {
    const broken: Job = {
      ...job,
      accept: () => ({
        kind: 'work',
        work: { total: 1, resumes: true, run: () => Promise.reject(new Error('secret internals')) },
      }),
    };
    await expect(
      runner.handle({ job: broken, org: undefined, jobId: 'job', body: [], work: workOf(broken), log: log.logger }),
    ).rejects.toThrow('secret internals');
    expect(store.records.get('job:{mobiles::job}')?.lease).toBeUndefined();
    expect(runner.running).toBe(0);
  });
});

describe('a runner that drains', () => {
  it('refuses new jobs with 503 and Retry-After', async () => {
    await runner.drain(0);
    expect(await deliver(['a'])).toEqual(COME_AGAIN);
    expect([done, store.records.size]).toEqual([[], 0]);
  });

  it('lets a job stop behind its item; that nothing was in doubt is remembered', async () => {
    let draining: Promise<void> | undefined;
    before = (item) => {
      if (item === 'b') draining = runner.drain(10_000);
    };
    expect(await deliver(['a', 'b', 'c'])).toMatchObject({ status: 503, retryAfter: '1' });
    await draining;
    expect(items()).toEqual(['a', 'b']);
    expect(store.records.get('job:{mobiles::job}')).toMatchObject({ state: 'running', done: 2 });
    expect(store.records.get('job:{mobiles::job}')?.lease).toBeUndefined();

    const next = createJobRunner({
      jobStore: store,
      keyRing: new KeyRing([new Uint8Array(32)]),
      logger: log.logger,
      leaseMs: LEASE_MS,
      deadlineMs: 60_000,
      patienceMs: 0,
    });
    const body = ['a', 'b', 'c'];
    const work = workOf(job, body);
    const reply = await next.handle({ job, org: undefined, jobId: 'job', body, work, log: log.logger });
    expect(reply).toMatchObject({ outcome: 'handled', replayed: false });
    expect(done.slice(2)).toEqual([['c', false]]);
  });
});

function workOf(of: Job, body: unknown = []): Work {
  const accepted = of.accept(body);
  if (accepted.kind !== 'work') throw new Error('These bodies have no faults.');
  return accepted.work;
}
