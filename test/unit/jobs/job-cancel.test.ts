/** The jobs that users may cancel, and the results. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NotedFailure } from '../../../src/jobs/record/job-failures.js';
import type { JobKind } from '../../../src/jobs/record/job-kinds.js';
import type { JobRecord } from '../../../src/jobs/record/job-record.js';
import { cancelVisibleJobs } from '../../../src/jobs/job-cancel.js';
import type { Order, StartedJob } from '../../../src/jobs/job-start.js';
import { createJobTable, type JobTable, type JobTableOptions } from '../../../src/jobs/job-table.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { claimed, claimRequest } from '../../support/stored-jobs.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';

let store: MemoryJobStore;
let log: CapturedLog;
let jobs: JobTable;
beforeEach(() => {
  jobs = createJobTable({} as JobTableOptions); // nothing is run
  store = createMemoryJobStore();
  log = captureLog();
});

const NOT_FOUND = { code: 'NotFound', message: 'There is no such job.' };

function cancel(
  jobId: string,
  { Org = 'acme', IsAdmin = false } = {},
  commit: Order['commit'] = (write) => write(),
): Promise<StartedJob> {
  const user = { Org, IsAdmin, BackendUser: 'user', LoggedInId: 'demo' };
  return cancelVisibleJobs(store, jobs, { user, log: log.logger, commit }, jobId);
}

async function started(kind: JobKind, jobId = 'job', total = 1): Promise<string> {
  return (await claimed(store, { kind, org: 'acme', jobId }, { total })).fencingToken;
}

function recordOf(kind: JobKind, jobId = 'job'): JobRecord {
  const record = store.records.get(`job:{${kind}:acme:${jobId}}`);
  if (record === undefined) throw new Error('It was started.');
  return record;
}

const isCancelled = (kind: JobKind): boolean => recordOf(kind).cancelledAt !== undefined;
const timesLogged = (): number => log.text().split('job.cancelled').length - 1;

describe('a job that a user cancels', () => {
  it('is asked to end, which is logged with who asked', async () => {
    await started('mobiles');
    const { createdAt } = recordOf('mobiles');
    expect(await cancel('job')).toMatchObject({ jobId: 'job', createdAt, state: 'running', cancelled: true });
    expect(isCancelled('mobiles')).toBe(true);
    const cancelledBy = { BackendUser: 'user', LoggedInId: 'demo' };
    expect(JSON.parse(log.text())).toMatchObject({ jobId: 'job', kind: 'mobiles', org: 'acme', cancelledBy });
  });

  it('is answered again and logged once when it is cancelled twice', async () => {
    await started('mobiles');
    const first = await cancel('job');
    store.ahead += 1_000;
    expect(await cancel('job')).toEqual(first);
    expect(timesLogged()).toBe(1);
  });

  it('stays as it is when it has ended', async () => {
    const job = { kind: 'mobiles', org: 'acme', jobId: 'job' } as const;
    await store.finish(job, await started('mobiles'), { status: 200, body: '{}' });
    const ended = recordOf('mobiles');
    const { createdAt } = ended;
    expect(await cancel('job')).toMatchObject({ jobId: 'job', createdAt, state: 'finished', cancelled: false });
    expect([recordOf('mobiles'), timesLogged()]).toEqual([ended, 0]);
  });

  const [NOT_DONE, IN_DOUBT] = ['not done, the job was cancelled', 'not known to be done, the job was cancelled'];
  const noDriver = { mobileId: '', employeeCode: '', code: 'Cancelled', message: NOT_DONE };
  const accounts = [`[1] ${IN_DOUBT}`, `[2] ${NOT_DONE}`, `[3] ${NOT_DONE}`];
  const mobiles = [`[1] ${IN_DOUBT}`, `[2] ${IN_DOUBT}`, `[3] ${NOT_DONE}`];
  const failing = (reason: string, message: string) => (from: number, to?: number) => {
    return { from, ...(to && { to }), code: 'Cancelled', reason, message } as const;
  };
  const [notBegun, inDoubt] = [failing('NotBegun', NOT_DONE), failing('NotKnown', IN_DOUBT)];
  it.each<[kind: JobKind, reply: object, failures: readonly NotedFailure[]]>([
    [
      'user-accounts',
      { status: 'Failure', data: { created_user_account_id: [301] }, errors: accounts },
      [inDoubt(1), notBegun(2, 3)],
    ],
    ['mobiles', { status: 'Failure', errors: mobiles }, [inDoubt(1, 2), notBegun(3)]],
    [
      'driving-reports',
      { key: '', errorList: [noDriver] },
      [{ from: 0, to: 3, code: 'Cancelled', reason: 'NotBegun' }],
    ],
  ])('ends at once when it does not run, with what was noted of its items: %s', async (kind, reply, failures) => {
    const job = { kind, org: 'acme', jobId: 'job' };
    const token = await started(kind, 'job', 4);
    const items = kind === 'user-accounts' ? [{ index: 0, createdId: 301 }] : [];
    await store.checkpoint(job, token, { done: 1, checkpoint: '{"next":1}', items });
    await store.release(job, token);
    expect(await cancel('job', { IsAdmin: true })).toMatchObject({ state: 'finished', cancelled: true });
    expect(recordOf(kind).result).toEqual({ status: 200, body: JSON.stringify(reply), failures });
    expect(jobs[kind].toStatus(reply).errors).toEqual('errors' in reply ? reply.errors : [NOT_DONE]);
    // A later delivery is answered with that.
    expect(await store.claim(job, claimRequest())).toMatchObject({ outcome: 'finished', result: { status: 200 } });
  });

  it('before anybody ran it has done nothing, and in good order nothing in doubt', async () => {
    const job = { kind: 'mobiles', org: 'acme', jobId: 'job' } as const;
    const token = await started('mobiles', 'job', 3);
    await store.checkpoint(job, token, { done: 1, checkpoint: '{"next":1,"stoppedIn":1}' });
    await store.release(job, token);
    await cancel('job');
    expect(recordOf('mobiles').result?.failures).toMatchObject([{ from: 1, to: 2, reason: 'NotBegun' }]);
    expect(recordOf('mobiles').result?.body).not.toContain('not known');
  });

  it('is every job of its id that the user may see', async () => {
    await started('mobiles');
    await started('driving-reports');
    await started('user-accounts');
    await cancel('job');
    expect((['mobiles', 'driving-reports', 'user-accounts'] as const).map(isCancelled)).toEqual([true, true, false]);
    expect(timesLogged()).toBe(2);
    await cancel('job', { IsAdmin: true });
    expect(isCancelled('user-accounts')).toBe(true);
  });
});

describe('a job that a user may not cancel', () => {
  it('because it is for administrators is not found, and goes on', async () => {
    await started('user-accounts');
    await expect(cancel('job')).rejects.toMatchObject(NOT_FOUND);
    expect([isCancelled('user-accounts'), timesLogged()]).toEqual([false, 0]);
  });

  it('because a colleague ordered it is not found, and goes on until an administrator cancels it', async () => {
    const described = { total: 1, fingerprint: 'print', retentionMs: 60_000, orderedBy: { BackendUser: 'colleague' } };
    await store.enqueue({ kind: 'mobiles', org: 'acme', jobId: 'job' }, described);
    await expect(cancel('job')).rejects.toMatchObject(NOT_FOUND);
    expect([isCancelled('mobiles'), timesLogged()]).toEqual([false, 0]);
    expect(await cancel('job', { IsAdmin: true })).toMatchObject({ cancelled: true });
  });

  it.each([
    ['was never started', 'other', { IsAdmin: true }],
    ['is of another organisation', 'job', { Org: 'globex' }],
    ['has an id of broken text', '\ud800', {}],
  ])('because it %s is not found', async (_why, jobId, user) => {
    await started('mobiles');
    await started('user-accounts', 'accounts');
    await expect(cancel(jobId, user)).rejects.toMatchObject(NOT_FOUND);
    expect(isCancelled('mobiles')).toBe(false);
  });

  it('because its caller was answered while it was looked up goes on', async () => {
    await started('mobiles');
    const answered = (): Promise<never> => Promise.reject(new Error('answered'));
    await expect(cancel('job', {}, answered)).rejects.toThrow('answered');
    expect([isCancelled('mobiles'), timesLogged()]).toEqual([false, 0]);
  });

  it('because the store is away comes to that, and not to a job that is not there', async () => {
    await started('mobiles');
    store.broken.set('cancel', 1);
    await expect(cancel('job')).rejects.toMatchObject({ code: 'ServiceUnavailable' });
  });
});
