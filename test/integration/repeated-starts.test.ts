/** Orders that are sent again: a front end that lost an answer gets the job of the first one, and nothing is done twice. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { argumentOf, createAccount, reportOf } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest } from '../support/resources.js';
import { finishedJob, startWithKey, type StartedKind } from '../support/started-jobs.js';
import { startBackends, startSharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';

type Environment = NonNullable<Parameters<typeof startTestGateway>[0]>;

const JOB = '{ jobId createdAt state cancelled }';
interface Started {
  readonly jobId: string;
  readonly createdAt: string;
  readonly state: string;
  readonly cancelled: boolean;
}

const backends = forAllTests(startBackends);
const ground = forEachTest(() => startSharedGround(backends));

async function startGateway(environment: Environment = {}): Promise<TestGateway> {
  return closeAfterTest(await startTestGateway({ ...ground.environment, ...environment }, ground));
}

async function request(
  gateway: TestGateway,
  kind: StartedKind,
  value: unknown,
  key: string | null | undefined,
  bearer?: string,
): Promise<GraphQLReply> {
  const query = startWithKey(kind).replace('{ jobId createdAt }', JOB);
  return gateway.graphql(query, { value: argumentOf(value), key }, bearer ?? (await gateway.bearer()));
}

async function start(...args: Parameters<typeof request>): Promise<Started> {
  const { data, text } = await request(...args);
  const job = data?.['job'] as Started | null | undefined; // as selected above
  if (!job) throw new Error(`The job was not accepted: ${text}`);
  return job;
}

const refusal = ({ errors }: GraphQLReply): unknown[] | undefined =>
  errors?.map(({ extensions: { code, reason } }) => [code, reason]);

const rename = (name: string): object[] => [{ id: 1, name }];

describe('An order with an idempotency key', () => {
  it.each<[StartedKind, unknown, unknown]>([
    ['reports', reportOf(1), reportOf(2)],
    ['accounts', [createAccount('once')], [createAccount('twice')]],
    ['mobiles', rename('once'), rename('twice')],
  ])('starts one job of %s however often it is sent, and is refused with another input', async (kind, value, other) => {
    const gateway = await startGateway();
    const key = randomUUID();
    const jobs = await Promise.all(Array.from({ length: 5 }, () => start(gateway, kind, value, key)));
    expect(new Set(jobs.map(({ jobId, createdAt }) => `${jobId} ${createdAt}`)).size).toBe(1);
    const [{ jobId, createdAt } = { jobId: '', createdAt: '' }] = jobs;
    await finishedJob(gateway, kind, jobId);
    const again = { jobId, createdAt, state: 'FINISHED', cancelled: false };
    expect(await start(gateway, kind, value, key)).toEqual(again);
    expect(refusal(await request(gateway, kind, other, key))).toEqual([['BadInput', 'IdempotencyKeyReused']]);
    const created = gateway.sandbox.journal.effects('userAccountCreated');
    expect(created.map(({ loginId }) => loginId)).toEqual(kind === 'accounts' ? ['once'] : []);
    expect(gateway.logged().split('"event":"job.accepted"')).toHaveLength(2);
  });

  const atNight = (date: string): object => ({ ...reportOf(1), date });
  it.each<[what: string, kind: StartedKind, value: unknown, other: unknown]>([
    ['numbers and texts', 'mobiles', [{ id: 7, tagIds: [1, '2'] }], [{ id: '7', tagIds: ['1', 2] }]],
    ['a mobile', 'reports', reportOf(7), { ...reportOf(7), drivers: [{ ...reportOf(7).drivers[0], mobileId: 7 }] }],
    ['small and capital letters', 'reports', atNight('2026-11-19t23:30:00z'), atNight('2026-11-19T23:30:00Z')],
  ])('takes inputs that differ only in writing for one: %s', async (_what, kind, value, other) => {
    const gateway = await startGateway();
    const { jobId } = await start(gateway, kind, value, 'key');
    expect(await start(gateway, kind, other, 'key')).toMatchObject({ jobId });
    expect(await finishedJob(gateway, kind, jobId)).toMatchObject({ status: 'Success' });
  });

  it('is found at the bound of open jobs and without a look at vehicles, where a new one is refused and leaves nothing', async () => {
    const gateway = await startGateway({ JOBS_MAX_OPEN_PER_ORG: '1' });
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const first = await start(gateway, 'mobiles', rename('x'), 'key');
    await held.held();
    gateway.sandbox.journal.clear();
    const running = { ...first, state: 'RUNNING' };
    expect(await start(gateway, 'mobiles', rename('x'), 'key')).toEqual(running);
    expect(gateway.sandbox.journal.requests({ operation: 'lookupMobiles' })).toEqual([]);
    expect(refusal(await request(gateway, 'mobiles', rename('x'), 'new'))).toEqual([
      ['TooManyRequests', 'TooManyOpenJobs'],
    ]);
    held.release();
    await finishedJob(gateway, 'mobiles', first.jobId);
    // The refused order is one that was never made.
    expect((await start(gateway, 'mobiles', rename('y'), 'new')).jobId).not.toBe(first.jobId);
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(129)],
    ['beyond ASCII', 'schlüssel'],
    ['of control characters', 'a\nb'],
  ])('is refused when it is %s', async (_what, key) => {
    const gateway = await startGateway();
    const { data, errors } = await request(gateway, 'mobiles', rename('x'), key);
    expect(data).toEqual({ job: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BadInput', fields: [{ path: ['idempotencyKey'] }] } }]);
  });

  it('may have 128 characters, and starts its job once across a restart and a rotation of keys', async () => {
    const key = `${'~ '.repeat(63)}!!`;
    const first = await startGateway();
    const { jobId } = await start(first, 'mobiles', rename('x'), key);
    await finishedJob(first, 'mobiles', jobId);
    await first.close();
    const fresh = randomBytes(32).toString('base64url');
    const rotated = await startGateway({ JOB_ENCRYPTION_KEY: `${fresh},${ground.environment.JOB_ENCRYPTION_KEY}` });
    expect(await start(rotated, 'mobiles', rename('x'), key)).toMatchObject({ jobId, state: 'FINISHED' });
    await rotated.close();
    const withoutOld = await startGateway({ JOB_ENCRYPTION_KEY: fresh });
    expect(refusal(await request(withoutOld, 'mobiles', rename('x'), key))).toEqual([
      ['ServiceUnavailable', 'StoreUnavailable'],
    ]);
  });
});

describeWith(['redis-server'], 'An order with an idempotency key, on replicas that share Redis,', () => {
  const redis = forAllTests(() => startRedis());

  it('starts one job, whichever of them it reaches at the same time', async () => {
    const environment = { REDIS_URL: redis.url, JOBS_MAX_OPEN_PER_ORG: '2' };
    const gateways = [await startGateway(environment), await startGateway(environment)] as const;
    const held = ground.sandbox.faults.hold({ operation: 'updateMobile' });
    await start(gateways[0], 'mobiles', rename('x'), undefined);
    await held.held();
    // One place is left, which the repeated order takes once.
    const orders = Array.from({ length: 12 }, (_, index) =>
      start(gateways[index % 2] ?? gateways[0], 'mobiles', rename('y'), 'key'),
    );
    const ids = (await Promise.all(orders)).map(({ jobId }) => jobId);
    expect(new Set(ids).size).toBe(1);
    expect(refusal(await request(gateways[1], 'mobiles', rename('z'), 'other'))).toEqual([
      ['TooManyRequests', 'TooManyOpenJobs'],
    ]);
    held.release();
    await finishedJob(gateways[1], 'mobiles', ids[0] ?? '');
    expect(ground.sandbox.journal.effects('mobileUpdated')).toHaveLength(2);
  });
});
