import { setMaxListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import { JOB_KINDS } from '../../../src/jobs/record/job-kinds.js';
import type { IndexedJob, IndexedJobs, IndexPage } from '../../../src/jobs/record/organisation-jobs.js';
import type { JobRecord } from '../../../src/jobs/record/job-record.js';
import {
  jobCursor,
  readJobCursor,
  JobList,
  PagesInTurn,
  type JobPage,
  type JobQuery,
} from '../../../src/jobs/job-list.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { JOBS } from '../../support/job-table.js';
import { deferred } from '../../support/wait-for.js';

const TIMES = { createdAt: 1_000, retentionMs: 1_000, expiresAt: 3_000 };
const OPEN: JobRecord = { state: 'running', total: 1, done: 1, attempt: 1, fingerprint: 'print', ...TIMES };
const RECORD: JobRecord = {
  ...OPEN,
  state: 'finished',
  finishedAt: 2_000,
  result: { status: 200, body: '{"status":"Success"}' },
};

/** Room for any number of jobs. */
const room = { fits: () => true, tooLarge: () => new Error('none') };
const { signal } = new AbortController();
setMaxListeners(0, signal);

/** One whose outcome is a page by itself. */
const LARGE: JobRecord = {
  ...RECORD,
  result: { status: 200, body: JSON.stringify({ status: 'Failure', errors: ['x'.repeat(1_100_000)] }) },
};

/** The queries of the index, and its answer. */
let asked: { readonly org: string | undefined; readonly wanted: IndexPage }[];
let indexed: IndexedJobs | ((wanted: IndexPage) => IndexedJobs);
let records: Map<string, JobRecord | Error>;
let log: CapturedLog;
/** Records that are read now, and most that were at once. */
let reading: number;
let maxReading: number;
let reads: number;
/** Whether records are there as soon as they are asked for, as those of an embedded store are. */
let readsAtOnce: boolean;

beforeEach(() => {
  records = new Map();
  log = captureLog();
  [reading, maxReading, reads] = [0, 0, 0];
  asked = [];
  readsAtOnce = false;
});

function jobsOf(count: number): IndexedJob[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'mobiles',
    org: 'acme',
    jobId: `job-${index}`,
    createdAt: 10_000 - index,
  }));
}

function page(query: Partial<JobQuery> = {}, { IsAdmin = true } = {}): Promise<JobPage> {
  const list = new JobList({
    jobs: JOBS,
    organisations: {
      list(org, wanted) {
        asked.push({ org, wanted });
        return Promise.resolve(typeof indexed === 'function' ? indexed(wanted) : indexed);
      },
    },
    jobStore: {
      async read({ jobId }) {
        reads += 1;
        reading += 1;
        maxReading = Math.max(maxReading, reading);
        if (!readsAtOnce) await new Promise(setImmediate);
        reading -= 1;
        const record = records.get(jobId);
        if (record instanceof Error) throw record;
        return record;
      },
    },
  });
  return list.page(
    { Org: 'acme', IsAdmin, BackendUser: 'user' },
    { limit: 200, answer: room, signal, ...query },
    log.logger,
  );
}

const idsOf = ({ jobs }: JobPage): string[] => jobs.map(({ node }) => node.jobId);

describe('a page of jobs', () => {
  it('leaves out those whose record is gone, or cannot be read, which is logged', async () => {
    const [first, second, third, fourth] = jobsOf(4);
    const last = { createdAt: 1, kind: 'mobiles', jobId: 'last' } as const;
    indexed = { jobs: [first, second, third, fourth].flatMap((job) => job ?? []), next: last };
    records.set('job-0', RECORD);
    records.set('job-1', new Error('field state is "nonsense"'));
    records.set('job-3', { ...RECORD, result: { status: 200, body: '{"status":"Odd"}' } });
    const found = await page();
    expect(idsOf(found)).toEqual(['job-0']);
    expect(readJobCursor(found.next ?? '')).toEqual(last);
    expect(log.complaints()).toEqual(['job.record_unreadable', 'job.record_unreadable']);
    expect(log.text()).toContain('"jobId":"job-1"');
  });

  it('has for a user the own jobs alone, also where the index does not know who ordered them', async () => {
    const [own, other, unordered] = jobsOf(3);
    indexed = { jobs: [own, other, unordered].flatMap((job) => job ?? []) };
    records.set('job-0', { ...RECORD, orderedBy: { BackendUser: 'user', LoggedInId: 'chief' } });
    records.set('job-1', { ...RECORD, orderedBy: { BackendUser: 'User' } });
    records.set('job-2', RECORD);
    expect(idsOf(await page({}, { IsAdmin: false }))).toEqual(['job-0']);
    expect(idsOf(await page())).toEqual(['job-0', 'job-1', 'job-2']);
    expect(asked.map(({ wanted }) => wanted.orderer)).toEqual(['user', undefined]);
  });

  it.each(['', ':failed-items', ':failed-items:failed-items'])(
    'ends with a position that names no job: %s',
    async (end) => {
      const [shown, last] = ['0199c0de-0000-7abc-8def-0123456789ab', `0199c0de-0000-7abc-8def-ba9876543210${end}`].map(
        (jobId, index) => ({ kind: 'mobiles', org: 'acme', jobId, createdAt: 9 - index }) as const,
      );
      if (shown === undefined || last === undefined) throw new Error('There are two jobs.');
      records.set(shown.jobId, RECORD);
      indexed = { jobs: [shown, last], next: last };
      const position = { createdAt: 8, kind: 'mobiles', jobId: '0199c0de-0000-7abc-8def-' };
      expect(readJobCursor((await page()).next ?? '')).toEqual(position);
      records.set(last.jobId, RECORD);
      const { jobs, next } = await page();
      expect(next).toBe(jobs[1]?.cursor);
    },
  );

  describe('of one state', () => {
    const COUNT = 3_000;
    const at = (jobId: string): number => Number(/\d+/.exec(jobId)?.[0]);

    beforeEach(() => {
      const all = jobsOf(COUNT);
      indexed = ({ limit, after }) => {
        const start = after === undefined ? 0 : all.findIndex(({ createdAt }) => createdAt < after.createdAt);
        const jobs = all.slice(start, start + limit);
        const last = jobs.at(-1);
        return { jobs, ...(last && start + limit < COUNT && { next: last }) };
      };
      for (const { jobId } of all) records.set(jobId, at(jobId) % 7 === 3 ? OPEN : RECORD);
    });

    it('is filled from the jobs behind, and each is on one page', async () => {
      for (const limit of [1, 10, 200]) {
        const first = await page({ state: 'RUNNING', limit });
        expect(idsOf(first)).toEqual(Array.from({ length: Math.min(limit, 143) }, (_, at) => `job-${3 + 7 * at}`));
        const second = await page({ state: 'RUNNING', limit, ...(first.next !== undefined && { after: first.next }) });
        expect(at(second.jobs[0]?.node.jobId ?? '')).toBe(at(first.jobs.at(-1)?.node.jobId ?? '') + 7);
      }
    });

    it('ends after a thousand records, and goes on behind them', async () => {
      const found = await page({ state: 'PENDING' });
      expect([idsOf(found), reads]).toEqual([[], 1_000]);
      expect(readJobCursor(found.next ?? '')).toMatchObject({ createdAt: 10_000 - 999 });
      reads = 0;
      const last = await page({
        state: 'PENDING',
        after: jobCursor({ createdAt: 10_000 - 2_500, kind: 'mobiles', jobId: 'x' }),
      });
      expect([last, reads]).toEqual([{ jobs: [] }, 499]);
    });

    it('counts the outcomes of jobs that it leaves out', async () => {
      records.set('job-30', LARGE);
      const found = await page({ state: 'RUNNING' });
      expect(idsOf(found)).toEqual(['job-3', 'job-10', 'job-17', 'job-24']);
      expect(readJobCursor(found.next ?? '').createdAt).toBe(9_970);
    });
  });

  it('reads each record once, and not all at the same time', async () => {
    const jobs = jobsOf(200);
    indexed = { jobs };
    for (const { jobId } of jobs) records.set(jobId, RECORD);
    expect(idsOf(await page())).toEqual(jobs.map(({ jobId }) => jobId));
    expect(reads).toBe(200);
    expect(maxReading).toBeLessThanOrEqual(25);
  });

  it('ends early behind a job whose outcome is large, and goes on behind it', async () => {
    const all = jobsOf(200);
    indexed = { jobs: all };
    for (const { jobId } of all) records.set(jobId, RECORD);
    records.set('job-30', LARGE);
    const found = await page();
    expect(found.jobs).toHaveLength(31);
    expect(readJobCursor(found.next ?? '')).toEqual({ kind: 'mobiles', jobId: 'job-30', createdAt: 9_970 });
    expect(reads).toBe(50);
  });

  it.each([1, 2])('has nothing behind it when the last one of %i is large', async (count) => {
    indexed = { jobs: jobsOf(count) };
    records.set('job-0', RECORD).set(`job-${count - 1}`, LARGE);
    const { jobs, ...rest } = await page();
    expect(jobs.at(-1)?.node).toMatchObject({ jobId: `job-${count - 1}`, status: 'Failure' });
    expect([jobs.length, rest]).toEqual([count, {}]);
  });

  it('leaves others their turn between its parts, and only there, however fast records are read', async () => {
    readsAtOnce = true;
    const turnsWhile = async (count: number): Promise<number> => {
      indexed = { jobs: jobsOf(count) };
      let [turns, isOver] = [0, false];
      const takeTurn = (): void => {
        if (isOver) return;
        turns += 1;
        setImmediate(takeTurn);
      };
      setImmediate(takeTurn);
      await page();
      isOver = true;
      return turns;
    };
    expect(await turnsWhile(25)).toBe(0);
    expect(await turnsWhile(200)).toBeGreaterThanOrEqual(6);
  });

  it('fails as a whole while the store cannot be reached', async () => {
    indexed = { jobs: jobsOf(1) };
    records.set('job-0', new ServiceUnavailableError('job store'));
    await expect(page()).rejects.toThrow(ServiceUnavailableError);
  });
});

describe('what is asked for', () => {
  beforeEach(() => {
    indexed = { jobs: [] };
  });

  it.each([
    ['all kinds, for an administrator', {}, true, JOB_KINDS],
    ['what others may see', {}, false, JOB_KINDS.filter((kind) => !JOBS[kind].administratorsOnly)],
    ['one kind', { kind: 'DRIVING_REPORTS' } as const, false, ['driving-reports']],
    ['one that is for administrators', { kind: 'USER_ACCOUNTS' } as const, true, ['user-accounts']],
  ])('are jobs of the organisation: %s', async (_what, query, IsAdmin, kinds) => {
    expect(await page(query, { IsAdmin })).toEqual({ jobs: [] });
    const own = !IsAdmin && { orderer: 'user' };
    expect(asked).toEqual([{ org: 'acme', wanted: { limit: 200, kinds: expect.any(Array), ...own } }]);
    expect(asked[0]?.wanted.kinds?.toSorted()).toEqual(kinds.toSorted());
  });

  it('goes on behind the page before', async () => {
    const after = { createdAt: 5, kind: 'mobiles', jobId: 'job' } as const;
    await page({ limit: 7, after: jobCursor(after) });
    expect(asked).toMatchObject([{ org: 'acme', wanted: { limit: 7, after } }]);
  });

  it('is refused when it is for administrators, or behind no page, and nothing is read', async () => {
    await expect(page({ kind: 'USER_ACCOUNTS' }, { IsAdmin: false })).rejects.toMatchObject({ code: 'Forbidden' });
    await expect(page({ after: 'nonsense' })).rejects.toMatchObject({ code: 'BadInput' });
    expect(asked).toEqual([]);
  });
});

describe('a cursor of jobs', () => {
  it.each([
    [{ createdAt: 0, kind: 'mobiles', jobId: '' } as const],
    [{ createdAt: 1_234, kind: 'user-accounts', jobId: '株/…' } as const],
  ])('is read back as it was made: %j', (position) => expect(readJobCursor(jobCursor(position))).toEqual(position));

  it.each([
    'nonsense',
    '',
    '["else"]',
    '{"0":1,"1":"mobiles","2":"job"}',
    'null',
    '["1","mobiles","job"]',
    '[1.5,"mobiles","job"]',
    '[-1,"mobiles","job"]',
    '[1,"cars","job"]',
    '[1,["mobiles"],"job"]',
    '[1,"mobiles"]',
    '[1,"mobiles",7]',
    '[1,"mobiles","\\ud800"]',
  ])('that holds %s is refused by its name', (json) => {
    expect(() => readJobCursor(Buffer.from(json).toString('base64url'))).toThrow(
      expect.objectContaining({ code: 'BadInput', message: 'The input cannot be used: after must be an endCursor.' }),
    );
  });
});

describe('room in the answer', () => {
  it('ends a page before the job that does not fit, and refuses one whose first job does not', async () => {
    indexed = { jobs: jobsOf(3) };
    for (const { jobId } of jobsOf(3)) records.set(jobId, RECORD);
    const answer = { fits: ({ jobId }: { jobId: string }) => jobId < 'job-2', tooLarge: () => new Error('too large') };
    const found = await page({ answer });
    expect(idsOf(found)).toEqual(['job-0', 'job-1']);
    expect(readJobCursor(found.next ?? '')).toEqual({ createdAt: 9_999, kind: 'mobiles', jobId: 'job-1' });
    await expect(page({ answer: { ...answer, fits: () => false } })).rejects.toThrow('too large');
  });
});

describe('pages of jobs in turn', () => {
  it('are read one after another for an organisation, and beside those of others, also after one that failed', async () => {
    const pages = new PagesInTurn();
    const begun: string[] = [];
    const [first, second] = [deferred(), deferred()];
    const read = (name: string, end: Promise<unknown>): Promise<unknown> =>
      pages.read({ org: 'acme', user: 'user', signal }, () => {
        begun.push(name);
        return end;
      });
    const reads = [
      read(
        'first',
        first.promise.then(() => Promise.reject(new Error('unreadable'))),
      ),
      read('second', second.promise),
    ];
    await pages.read({ org: 'globex', user: 'user', signal }, () => Promise.resolve(begun.push('other')));
    expect(begun).toEqual(['first', 'other']);
    first.resolve();
    await expect(reads[0]).rejects.toThrow('unreadable');
    // One that is asked for meanwhile waits as well.
    const third = read('third', Promise.resolve());
    await new Promise(setImmediate);
    expect(begun).toEqual(['first', 'other', 'second']);
    second.resolve();
    await Promise.all([reads[1], third]);
    expect(begun).toEqual(['first', 'other', 'second', 'third']);
  });

  it('of one user keep those of another waiting for one of them alone, and leave half of the places', async () => {
    const pages = new PagesInTurn();
    const begun: string[] = [];
    const read = (user: string, end?: Promise<unknown>): Promise<unknown> =>
      pages.read({ org: 'acme', user, signal }, async () => {
        begun.push(user);
        await end;
      });
    const held = deferred();
    const waiting = [held.promise, ...Array.from({ length: 100 }, () => undefined)].map((end) => read('user', end));
    await expect(read('user')).rejects.toMatchObject({ reason: 'TooManyJobLists', retryAfterSeconds: 1 });
    const chief = read('chief');
    await expect(pages.read({ org: 'globex', user: 'user', signal }, () => Promise.resolve('page'))).resolves.toBe(
      'page',
    );
    held.resolve();
    await chief;
    expect(begun.indexOf('chief')).toBeLessThanOrEqual(2);
    await Promise.all(waiting);
    await expect(read('user')).resolves.toBeUndefined();
  });

  it('are not read for a client that has left', async () => {
    const pages = new PagesInTurn();
    const client = new AbortController();
    const held = deferred();
    const first = pages.read({ org: 'acme', user: 'user', signal }, () => held.promise);
    const second = pages.read({ org: 'acme', user: 'user', signal: client.signal }, () =>
      Promise.reject(new Error('read')),
    );
    client.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    held.resolve();
    await first;
  });
});
