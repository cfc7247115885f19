/** The fields of a record that pollers read. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../src/base/errors.js';
import type { JobKind } from '../../../src/jobs/record/job-kinds.js';
import type { JobIdentity, JobRecord, JobResult } from '../../../src/jobs/record/job-record.js';
import { readJobStatus } from '../../../src/jobs/job-status.js';
import { createJobTable, type JobTableOptions, type JobViewer } from '../../../src/jobs/job-table.js';
import { claimed, claimRequest } from '../../support/stored-jobs.js';
import { createMemoryJobStore, type MemoryJobStore } from './memory-job-store.js';

let store: MemoryJobStore;
beforeEach(() => {
  store = createMemoryJobStore();
});

/** Reads the status of a job; nothing is run here, so nothing is needed to run it. */
const read = (kind: JobKind, Org = 'acme', jobId = 'job') =>
  readJobStatus(store, [createJobTable({} as JobTableOptions)[kind]], { ...ADMINISTRATOR, Org }, jobId);

const ADMINISTRATOR: JobViewer = { Org: 'acme', BackendUser: 'chief', IsAdmin: true };

const identity = (kind: JobKind, jobId = 'job'): JobIdentity => ({ kind, org: 'acme', jobId });

async function running(kind: JobKind): Promise<string> {
  return (await claimed(store, identity(kind))).fencingToken;
}

async function finished(kind: JobKind, reply: object, more: Partial<JobResult> = {}): Promise<JobRecord> {
  await store.finish(identity(kind), await running(kind), { status: 200, body: JSON.stringify(reply), ...more });
  const [record] = [...store.records.values()];
  if (record === undefined) throw new Error('It has a record.');
  return record;
}

async function dead(kind: JobKind, result: JobResult): Promise<void> {
  await store.fail(identity(kind), { total: 3, fingerprint: 'print', retentionMs: 60_000 }, result);
}

describe('a job that has not ended', () => {
  it('has a state, its progress, and neither outcome nor end', async () => {
    const token = await running('mobiles');
    await store.checkpoint(identity('mobiles'), token, { done: 2, checkpoint: '{}' });
    expect(await read('mobiles')).toEqual({
      id: 'job',
      jobId: 'job',
      kind: 'MOBILES',
      orderedBy: null,
      cancelled: false,
      completed: false,
      state: 'RUNNING',
      progress: { done: 2, total: 3, failed: null, ofItems: identity('mobiles') },
      failureCount: 0,
      pollAfterSeconds: 1,
      createdAt: expect.any(Date),
      finishedAt: null,
      status: null,
      errors: null,
      failures: [],
      itemErrors: null,
      warnings: [],
    });
  });

  it('warns while it cannot be run, and of what its end says besides', async () => {
    const token = await running('mobiles');
    await store.release(identity('mobiles'), token);
    await store.wait(identity('mobiles'), 'wrong_address');
    const { state, warnings } = await read('mobiles');
    const waiting = { code: 'Waiting', reason: 'Waiting', values: {} };
    expect({ state, warnings }).toMatchObject({ state: 'RUNNING', warnings: [waiting] });
    expect(JSON.stringify(warnings)).not.toContain('wrong_address');
    const code = 'AddressesMissing';
    const [of010, noted] = [{ code, message: 'a' } as const, { code, message: 'b', values: { count: 2 } } as const];
    await finished('mobiles', { status: 'Success' }, { warnings: [of010, noted] });
    expect((await read('mobiles')).warnings).toEqual([
      { ...of010, reason: null, values: {} },
      { ...noted, reason: code },
    ]);
  });

  it.each([
    ['pending', 9, 1],
    ['pending', 11, 5],
    ['pending', 599, 5],
    ['running', 599, 1],
    ['pending', 601, 10],
    ['running', 601, 10],
  ] as const)('that is %s is polled after %i seconds again in %i', async (state, age, pollAfterSeconds) => {
    store.ahead = -1_000 * age;
    await store.enqueue(identity('mobiles'), { total: 3, fingerprint: 'print', retentionMs: 3_600_000 });
    if (state === 'running') await store.claim(identity('mobiles'), claimRequest({ fingerprints: ['print'] }));
    store.ahead = 0;
    expect(await read('mobiles')).toMatchObject({ pollAfterSeconds });
  });

  it('says so when it was cancelled', async () => {
    await running('mobiles');
    await store.cancel(identity('mobiles'));
    expect(await read('mobiles')).toMatchObject({ cancelled: true, completed: false });
  });

  it('of the other kinds has nothing of theirs yet', async () => {
    await running('driving-reports');
    await running('user-accounts');
    expect(await read('driving-reports')).toMatchObject({ key: null, errorList: null, errors: null });
    expect(await read('user-accounts')).toMatchObject({ createdUserAccountId: null, errors: null });
  });
});

describe('a job that has ended', () => {
  it('well has the time of its end and no errors', async () => {
    const { createdAt, finishedAt = 0 } = await finished('mobiles', { status: 'Success' });
    const times = { createdAt: new Date(createdAt), finishedAt: new Date(finishedAt) };
    const ended = { completed: true, state: 'FINISHED', status: 'Success', errors: null };
    expect(await read('mobiles')).toMatchObject({ ...ended, ...times });
  });

  const driver = { mobileId: '7', employeeCode: 'E-7', code: 'NotFound', message: 'not there' };
  it.each<[what: string, kind: JobKind, reply: object, told: object, more?: Partial<JobResult>]>([
    [
      'badly has its errors taken apart as well, whatever its items are called',
      'user-accounts',
      { status: 'Failure', errors: ['[0] [1] a: b: no: not at all', '[2] not done, the job was cancelled'] },
      {
        failures: [
          { index: 0, subject: '[1] a: b', code: 'NotFound', reason: null, message: 'no: not at all', values: {} },
          { index: 2, subject: null, code: 'Cancelled', message: 'not done, the job was cancelled' },
        ],
        itemErrors: [
          { index: 0, item: '[1] a: b', code: 'NotFound', reason: null, message: 'no: not at all', values: {} },
          { index: 2, item: null, code: 'Cancelled', message: 'not done, the job was cancelled' },
        ],
      },
      {
        failures: [
          { from: 0, label: '[1] a: b', code: 'NotFound' },
          { from: 2, code: 'Cancelled' },
        ],
      },
    ],
    [
      'badly has the reasons that were noted',
      'mobiles',
      { status: 'Failure', errors: ['[3] 7: no', '[4] 8: not done'] },
      {
        failures: [
          { index: 3, subject: '7', code: 'NotFound', reason: 'UnknownToBackend', message: 'no', values: { a: 'no' } },
          { index: 4, subject: '8', code: 'Cancelled', reason: null, message: 'not done', values: {} },
        ],
      },
      {
        failures: [
          { from: 3, label: '7', code: 'NotFound', reason: 'UnknownToBackend', values: { a: 'no' } },
          { from: 4, label: '8', code: 'Cancelled' },
        ],
      },
    ],
    [
      'as a report has its key, and of each driver without a page why',
      'driving-reports',
      { key: 'a.pdf', errorList: [driver] },
      {
        key: 'a.pdf',
        errorList: [{ ...driver, reason: null, values: {} }],
        errors: ['7 E-7: not there'],
        failures: [{ index: 5, subject: 'E-7', code: 'NotFound', reason: null, message: 'not there', values: {} }],
      },
      { failures: [{ from: 5, code: 'NotFound' }] },
    ],
    [
      'as a report that nobody ran has one failure for all its drivers',
      'driving-reports',
      { key: '', errorList: [{ mobileId: '', employeeCode: '', code: 'Cancelled', message: 'not done' }] },
      {
        key: null,
        failures: [{ index: null, subject: null, code: 'Cancelled', reason: 'NotBegun', message: 'not done' }],
      },
      { failures: [{ from: 0, to: 2, code: 'Cancelled', reason: 'NotBegun' }] },
    ],
    [
      'as a whole report has no errors',
      'driving-reports',
      { key: 'a.pdf', errorList: null },
      { status: 'Success', key: 'a.pdf', errorList: null, errors: null },
    ],
    [
      'as one of accounts has the ids that were created, also after a failure',
      'user-accounts',
      { status: 'Failure', data: { created_user_account_id: [4, 5] }, errors: ['[2] x: no'] },
      { createdUserAccountId: [4, 5], errors: ['[2] x: no'] },
    ],
    [
      'as one of accounts of which none was created has no ids',
      'user-accounts',
      { status: 'Failure', errors: ['[0] x: no'] },
      { createdUserAccountId: null },
    ],
  ])('%s', async (_what, kind, reply, told, more = {}) => {
    await finished(kind, reply, more);
    expect(await read(kind)).toMatchObject({ status: 'Failure', ...told });
  });

  it('with a reply that its specification does not have is damaged, and its poller sees no detail', async () => {
    await finished('mobiles', { status: 'Perhaps' });
    await expect(read('mobiles')).rejects.not.toBeInstanceOf(GatewayError);
  });
});

it.each([
  ['with a reason', { status: 422, body: '{"message":"another body"}' }],
  ['whose reply is of another shape', { status: 500, body: '{"html":1}' }],
])('a dead letter %s says that it is one, and nothing of the inside', async (_what, result) => {
  const errors = ['The job could not be delivered. Order it again.'];
  await dead('user-accounts', result);
  expect(await read('user-accounts')).toMatchObject({
    completed: true,
    status: 'Failure',
    errors,
    failures: [{ index: null, subject: null, code: 'ServiceUnavailable', reason: 'NotDelivered', values: {} }],
    createdUserAccountId: null,
  });
  await dead('driving-reports', result);
  expect(await read('driving-reports')).toMatchObject({ errors, key: null, errorList: null });
});

it.each([
  ['tells its accounts, and what is not known or not begun', 2, 'Failure', [2, 3], [100, 101]],
  ['is a success if all its items were done', 4, 'Success', [], [100, 101]],
])('a dead letter that was begun %s', async (_what, next, status, indexes, createdUserAccountId) => {
  const job = identity('user-accounts');
  const { fencingToken, record } = await claimed(store, job, { total: 4, leaseMs: 1_000 });
  const items = [100, 101].map((createdId, index) => ({ index, createdId }));
  await store.checkpoint(job, fencingToken, { done: next, checkpoint: JSON.stringify({ next }), items });
  store.ahead += 2_000;
  expect(await store.fail(job, record, { status: 503, body: '{"message":"not reached"}' })).toBe(true);
  const shown = await read('user-accounts');
  const reasons = ['NotKnownGivenUp', 'NotBegunGivenUp'];
  const failures = indexes.map((index, at) => expect.objectContaining({ index, reason: reasons[at] }));
  expect(shown).toMatchObject({ completed: true, status, progress: { done: next, total: 4 }, createdUserAccountId });
  expect(shown.failures).toEqual(failures);
});

describe('a job that is not there', () => {
  it.each([
    ['was never ordered', 'acme', 'other'],
    ['is of another organisation', 'globex', 'job'],
    ['has an id of broken text', 'acme', '\ud800'],
  ])('because it %s is not found', async (_why, org, jobId) => {
    await running('mobiles');
    await expect(read('mobiles', org, jobId)).rejects.toMatchObject({
      code: 'NotFound',
      message: 'There is no such job.',
    });
  });

  it('is found among several kinds, and not as one of another kind', async () => {
    await running('mobiles');
    await expect(read('user-accounts')).rejects.toMatchObject({ code: 'NotFound' });
    const jobs = Object.values(createJobTable({} as JobTableOptions));
    const found = await readJobStatus(store, jobs, ADMINISTRATOR, 'job');
    expect(found).toMatchObject({ jobId: 'job', kind: 'MOBILES', state: 'RUNNING' });
    await expect(readJobStatus(store, jobs, ADMINISTRATOR, 'other')).rejects.toMatchObject({ code: 'NotFound' });
  });
});

describe('a job that a user ordered', () => {
  const orderedBy = { BackendUser: 'user' };
  const user = { Org: 'acme', BackendUser: 'user', IsAdmin: false };
  const viewers: Readonly<Record<string, JobViewer>> = {
    orderer: user,
    colleague: { ...user, BackendUser: 'User' },
    administrator: ADMINISTRATOR,
    stranger: { ...ADMINISTRATOR, Org: 'globex', BackendUser: 'user' },
  };

  async function seenBy(kind: JobKind, viewer: JobViewer): Promise<boolean> {
    const job = createJobTable({} as JobTableOptions)[kind];
    try {
      await readJobStatus(store, [job], viewer, 'job');
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'NotFound', message: 'There is no such job.' });
      return false;
    }
  }

  it.each<[kind: JobKind, ordered: boolean, seers: readonly string[]]>([
    ['mobiles', true, ['orderer', 'administrator']],
    ['driving-reports', true, ['orderer', 'administrator']],
    ['mobiles', false, ['orderer', 'colleague', 'administrator']],
    ['user-accounts', true, ['administrator']],
    ['user-accounts', false, ['administrator']],
  ])('of the kind %s, ordered: %s, is seen by %j alone', async (kind, ordered, seers) => {
    const described = { total: 3, fingerprint: 'print', retentionMs: 60_000, ...(ordered && { orderedBy }) };
    await store.enqueue(identity(kind), described);
    const seen: string[] = [];
    for (const [name, viewer] of Object.entries(viewers)) if (await seenBy(kind, viewer)) seen.push(name);
    expect(seen).toEqual(seers);
  });
});
