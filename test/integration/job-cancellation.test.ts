/** A job that is cancelled finishes what has begun and begins nothing further, whatever it does at that moment. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { entriesOf, type LogEntry } from '../support/captured-log.js';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { createAccounts, jobHeaders, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { finishedJob, pollJob, requestStart, startJob } from '../support/started-jobs.js';
import { startSharedGround, type SharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const NOT_DONE = 'not done, the job was cancelled';
const CANCEL = 'mutation($jobId: ID!) { cancelJob(jobId: $jobId) { jobId createdAt state cancelled } }';
/** Jobs that a gateway handles at the same time. */
const AT_ONCE = 4;
/** Far longer than any test: what waits out an outage goes on waiting. */
const PATIENT = { BACKEND_TIMEOUT_SECONDS: '240', JOB_PATIENCE_SECONDS: '3000', JOB_DEADLINE_SECONDS: '3600' };

type Environment = Parameters<typeof startTestGateway>[0];

const ground = forAllTests(startSharedGround);
const backends = forAllTests(
  () => ground.sandbox,
  () => undefined,
);
const gateway = forAllTests(() => open());

const open = (environment: Environment = {}, on: SharedGround = ground): Promise<TestGateway> =>
  startTestGateway({ ...on.environment, ...PATIENT, JOBS_CONCURRENCY: String(AT_ONCE), ...environment }, on);

afterEach(() => {
  backends.faults.clear();
  expect(backends.journal.contractViolations()).toEqual([]);
  backends.journal.clear();
});

async function requestCancel(jobId: string, bearer?: string, at = gateway): Promise<GraphQLReply> {
  return at.graphql(CANCEL, { jobId }, bearer ?? (await at.bearer()));
}

async function cancel(jobId: string, bearer?: string, at = gateway): Promise<unknown> {
  const { data, errors } = await requestCancel(jobId, bearer, at);
  expect(errors).toBeUndefined();
  return data?.['cancelJob'];
}

function eventsOf(jobId: string, event: string, at = gateway): readonly LogEntry[] {
  return entriesOf(at.logged(), event).filter((entry) => entry['jobId'] === jobId);
}

/** The gateway that runs a job has learned that it was cancelled. */
async function windsUp(jobId: string, at = gateway): Promise<void> {
  await waitFor('the running job to notice', () => eventsOf(jobId, 'job.winding_up', at).length > 0);
}

function expectRefused({ data, errors }: GraphQLReply, code: string, message: unknown, field = 'cancelJob'): void {
  expect(data).toEqual({ [field]: null });
  expect(errors).toMatchObject([{ message, path: [field], extensions: { code, path: [field] } }]);
}

const mobiles = (count: number): { id: number; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));
const created = (): unknown[] => backends.journal.effects('userAccountCreated').map(({ id }) => id);

describe('a job that is cancelled', () => {
  it('finishes the account that has begun, names all that were created, and says so in its callback', async () => {
    const [prefix, jobId] = [randomUUID(), randomUUID()];
    const held = backends.faults.hold({ operation: 'createUserAccount', loginId: `${prefix}-1` });
    const reply = gateway.callback(USER_ACCOUNTS, createAccounts(prefix, 5), jobHeaders(jobId));
    await held.held();
    const chief = await gateway.bearer({ claims: { preferred_username: 'backend-user', loggedin_id: 'chief' } });
    // Twice is once.
    for (let times = 0; times < 2; times += 1) expect(await cancel(jobId, chief)).toMatchObject({ jobId });
    const cancelledBy = { BackendUser: 'backend-user', LoggedInId: 'chief' };
    expect(eventsOf(jobId, 'job.cancelled')).toMatchObject([{ kind: 'user-accounts', org: 'acme', cancelledBy }]);
    expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ state: 'RUNNING', status: null });
    held.release();
    const { status, body } = await reply;
    const ids = created();
    expect(ids).toHaveLength(2);
    const errors = [2, 3, 4].map((index) => `[${index}] ${prefix}-${index}: ${NOT_DONE}`);
    expect([status, body]).toEqual([200, { status: 'Failure', data: { created_user_account_id: ids }, errors }]);
    const polled = await pollJob(gateway, 'accounts', jobId);
    expect(polled).toMatchObject({ progress: { done: 2, total: 5 }, createdUserAccountId: ids.map(String), errors });
    const again = await gateway.callback(USER_ACCOUNTS, createAccounts(prefix, 5), jobHeaders(jobId));
    expect([again.body, again.headers.get('x-job-replayed')]).toEqual([body, 'true']);
    expect(eventsOf(jobId, 'job.finished')).toMatchObject([{ outcome: 'Failure', failedItems: 3, cancelledItems: 3 }]);
    // One that has ended stays as it is.
    expect(await cancel(jobId)).toMatchObject({ jobId, state: 'FINISHED', cancelled: true });
    expect(await pollJob(gateway, 'accounts', jobId)).toEqual(polled);
  });

  it('makes room for another one once it has ended, also where another gateway takes it up', async () => {
    const own = closeAfterTest(await startSharedGround(backends));
    const first = await open({ JOBS_MAX_OPEN_PER_ORG: '1', SHUTDOWN_DRAIN_SECONDS: '0' }, own);
    const held = backends.faults.hold({ operation: 'createUserAccount' });
    const prefix = randomUUID();
    const { jobId } = await startJob(first, 'accounts', createAccounts(prefix, 4));
    await held.held();
    await cancel(jobId, undefined, first);
    expectRefused(await requestStart(first, 'mobiles', mobiles(1)), 'TooManyRequests', expect.any(String), 'job');
    await first.close();
    backends.faults.clear();
    const second = closeAfterTest(await open({ JOBS_MAX_OPEN_PER_ORG: '1' }, own));
    const { errors, createdUserAccountId } = await finishedJob(second, 'accounts', jobId);
    // The first one was in doubt, and is known by its key.
    expect(errors).toEqual([1, 2, 3].map((index) => `[${index}] ${prefix}-${index}: ${NOT_DONE}`));
    expect(createdUserAccountId).toEqual(created().map(String));
    const next = await startJob(second, 'mobiles', mobiles(1));
    expect(await finishedJob(second, 'mobiles', next.jobId)).toMatchObject({ status: 'Success' });
  });
});

describeWith(['redis-server'], 'a job in Redis that is cancelled', () => {
  it('learns of it from another gateway, between its items', async () => {
    const redis = closeAfterTest(await startRedis());
    const start = async (): Promise<TestGateway> => closeAfterTest(await open({ REDIS_URL: redis.url }));
    const [one, other] = [await start(), await start()];
    const held = backends.faults.hold({ operation: 'updateMobile', mobileId: '2' });
    const jobId = randomUUID();
    const reply = one.callback(MOBILES, mobiles(4), jobHeaders(jobId));
    await held.held();
    await cancel(jobId, undefined, other);
    await windsUp(jobId, one);
    held.release();
    expect((await reply).body).toEqual({ status: 'Failure', errors: [`[2] 3: ${NOT_DONE}`, `[3] 4: ${NOT_DONE}`] });
    expect(backends.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual([1, 2]);
  });
});
