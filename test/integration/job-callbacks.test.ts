/** The three callbacks as a queue function sees them: one outcome per job, whatever is delivered how often. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { textOf } from '../../src/base/error-table.js';
import { openSqliteEngine } from '../../src/jobs/engines/sqlite/open-sqlite.js';
import { captureLog } from '../support/captured-log.js';
import { createAccount, jobHeaders, MOBILES, outcomeOf, USER_ACCOUNTS } from '../support/job-requests.js';
import { gatewayForAllTests } from '../support/resources.js';
import { requestStatus } from '../support/started-jobs.js';

const ACME = { 'x-org-id': 'acme' };

const gateway = gatewayForAllTests();

describe('a second delivery of a job that is running', () => {
  it('gets 409 with Retry-After and the job id, whatever its body is, and once the job has ended the reply, or 422', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const headers = jobHeaders(randomUUID());
    const body = [{ id: 13, name: 'slow' }];
    const running = gateway.callback(MOBILES, body, headers);
    await held.held();

    const second = await gateway.callback(MOBILES, body, headers);
    expect([second.status, second.headers.get('x-job-id')]).toEqual([409, headers['x-job-id']]);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const other = [{ id: 13, name: 'other' }];
    for (const changed of [other, { no: 'list' }]) {
      expect((await gateway.callback(MOBILES, changed, headers)).status).toBe(409);
    }

    held.release();
    expect(outcomeOf(await running)).toEqual({ status: 200, text: '{"status":"Success"}', replayed: null });
    const replay = await gateway.callback(MOBILES, body, headers);
    expect([outcomeOf(replay).replayed, replay.headers.get('x-job-id')]).toEqual(['true', headers['x-job-id']]);
    const conflict = await gateway.callback(MOBILES, other, headers);
    expect([conflict.status, conflict.headers.get('x-job-id')]).toEqual([422, headers['x-job-id']]);
    expect(gateway.sandbox.journal.effects('mobileUpdated')).toHaveLength(1);
  });
});

it('A job that is a dead letter runs for a newer message, or one whose time is not known; an older one is 422', async () => {
  const engine = await openSqliteEngine({ directory: gateway.dataDir, logger: captureLog().logger, maxAttempts: 1 });
  const body = [{ id: 14, name: 'late' }];
  const known = randomUUID();
  await gateway.callback(MOBILES, body, jobHeaders(known));
  const job = { kind: 'mobiles', org: 'acme' } as const;
  const described = await engine.jobStore.read({ ...job, jobId: known });
  if (described === undefined) throw new Error('The job has a record.');
  const results: unknown[] = [];
  for (const afterEndMs of [0, 1, undefined]) {
    const jobId = randomUUID();
    await engine.jobStore.fail({ ...job, jobId }, described, { status: 503, body: '{}' });
    const { finishedAt = NaN } = (await engine.jobStore.read({ ...job, jobId })) ?? {};
    const queuedAt = afterEndMs !== undefined && { 'x-job-queued-at': new Date(finishedAt + afterEndMs).toISOString() };
    const reply = await gateway.callback(MOBILES, body, { ...jobHeaders(jobId), ...queuedAt });
    results.push([reply.status, reply.status === 422 ? reply.body : reply.headers.get('x-job-id') === jobId]);
  }
  await engine.close();
  const refusal = [422, { message: textOf('MessageOutdated') }];
  expect(results).toEqual([refusal, ...[1, 2].map(() => [200, true])]);
});

describe('a job without x-job-id', () => {
  it('is recognised by its content while it is running and afterwards', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const body = [{ id: 15, name: 'no id' }];
    const running = gateway.callback(MOBILES, body, ACME);
    await held.held();
    const meanwhile = await gateway.callback(MOBILES, body, ACME);
    held.release();
    const first = await running;
    const afterwards = await gateway.callback(MOBILES, body, ACME);

    expect([first.status, meanwhile.status, afterwards.status]).toEqual([200, 409, 200]);
    expect([outcomeOf(first).replayed, outcomeOf(afterwards).replayed]).toEqual([null, 'true']);
    const ids = [first, meanwhile, afterwards].map(({ headers }) => headers.get('x-job-id'));
    expect(ids).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
    expect(new Set(ids).size).toBe(1);
  });
});

it('A job without x-org-id is handled, but no user can poll it', async () => {
  const jobId = randomUUID();
  const reply = await gateway.callback(MOBILES, [], { 'x-job-id': jobId });
  expect(outcomeOf(reply)).toEqual({ status: 200, text: '{"status":"Success"}', replayed: null });
  const polled = async () => requestStatus(gateway, 'mobiles', jobId);
  expect((await polled()).errors?.[0]?.extensions.code).toBe('NotFound');
  // The same question about a job of the organisation is answered.
  await gateway.callback(MOBILES, [], jobHeaders(jobId));
  expect((await polled()).data).toMatchObject({ status: { state: 'FINISHED' } });
});

describe('the items of a bulk job', () => {
  it('may hold unknown properties, which are ignored and not passed on', async () => {
    const bodies: unknown[] = [];
    // The journal of the sandbox keeps none.
    const keep = ({ body }: { readonly body: unknown }): boolean => bodies.push(body) < 0;
    gateway.sandbox.faults.set({ match: keep, fault: { kind: 'garbage' } });
    const account = { ...createAccount('unknown-fields', { isSuperuser: true }), note: 'for the queue' };
    await gateway.callback(USER_ACCOUNTS, [account], jobHeaders(randomUUID()));
    await gateway.callback(MOBILES, [{ id: 23, name: 'known', colour: 'red' }], jobHeaders(randomUUID()));
    expect(bodies).toEqual([createAccount('unknown-fields').userAccountInput, { name: 'known' }]);
  });

  it('that create carry an Idempotency-Key that no other job, of whichever organisation, ever has', async () => {
    const keysOf = async (loginIds: readonly string[], headers: Record<string, string>) => {
      gateway.sandbox.journal.clear();
      const reply = await gateway.callback(USER_ACCOUNTS, loginIds.map((id) => createAccount(id)), headers); // oxfmt-ignore
      const keys = gateway.sandbox.journal.requests().map(({ idempotencyKey }) => idempotencyKey);
      return { keys, jobId: reply.headers.get('x-job-id') ?? '' };
    };
    expect((await keysOf(['key-a', 'key-b'], { 'x-job-id': 'job-1' })).keys).toEqual([':job-1:0', ':job-1:1']);
    expect((await keysOf(['key-c'], jobHeaders('job-1'))).keys).toEqual(['acme:job-1:0']);
    // The same content later is new, so that it also holds when it was accepted.
    const { keys, jobId } = await keysOf(['key-d'], {});
    expect(keys).toEqual([expect.stringMatching(new RegExp(`^:${jobId}:\\d{13}:0$`))]);
  });
});

describe('a body that cannot be a job', () => {
  const indivs = (value: string): string => `[{"type":1,"userAccountInput":{"loginId":"x","indivs":${value}}}]`;

  it.each([
    ['nested deeper than any stack', indivs('['.repeat(1e5) + ']'.repeat(1e5))],
    ['a number beyond any double', indivs('[1e999]')],
  ])('%s is 400, nothing is run, and its job id stays free for a body that can', async (_fault, body) => {
    const headers = jobHeaders(randomUUID());
    const reply = await gateway.rest('POST', USER_ACCOUNTS, {
      headers: { 'content-type': 'application/json', 'x-api-key': 'development-callback-key', ...headers },
      body,
    });
    expect([reply.status, reply.body]).toEqual([400, { message: expect.any(String), errors: [expect.anything()] }]);
    expect(gateway.sandbox.journal.requests()).toEqual([]);
    const good = await gateway.callback(USER_ACCOUNTS, [], headers);
    expect(outcomeOf(good)).toMatchObject({ status: 200, replayed: null });
  });
});
