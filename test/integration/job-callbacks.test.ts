/** The three callbacks as a queue function sees them: one outcome per job, whatever is delivered how often. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  bulkReply,
  createAccount,
  createAccounts,
  deleteAccount,
  jobHeaders,
  MOBILES,
  outcomeOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { gatewayForAllTests } from '../support/resources.js';
import { requestStatus } from '../support/started-jobs.js';

const ACME = { 'x-org-id': 'acme' };

const gateway = gatewayForAllTests();

const created = (): string[] => gateway.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId);

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

it('The same job id in another organisation, in none, or of another kind is another job', async () => {
  const jobId = randomUUID();
  const own = jobHeaders(jobId);
  for (const [path, headers] of [
    [MOBILES, own],
    [MOBILES, jobHeaders(jobId, 'globex')],
    [MOBILES, jobHeaders(jobId, 'Acme')],
    [MOBILES, { 'x-job-id': jobId }],
    [USER_ACCOUNTS, own],
  ] as const)
    expect(outcomeOf(await gateway.callback(path, [], headers))).toMatchObject({ status: 200, replayed: null });
  expect(outcomeOf(await gateway.callback(MOBILES, [], own)).replayed).toBe('true');
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

  it('is the same one with its properties in another order or other white space, and no other one', async () => {
    const first = await gateway.callback(MOBILES, '[{"id":16,"name":"ordered","tagIds":[1,2]}]', ACME);
    const second = await gateway.callback(MOBILES, ' [ { "tagIds": [1, 2], "name": "ordered", "id": 16 } ]', ACME);
    expect(outcomeOf(second)).toEqual({ status: 200, text: first.text, replayed: 'true' });
    const base = [{ id: 17 }, { id: 18 }];
    const ids = [first, await gateway.callback(MOBILES, base, ACME)].map(({ headers }) => headers.get('x-job-id'));
    expect(second.headers.get('x-job-id')).toBe(ids[0]);
    for (const [path, body, headers] of [
      [MOBILES, [{ id: 17 }, { id: 18, name: 'B' }], ACME],
      [MOBILES, base.toReversed(), ACME],
      [MOBILES, base, { 'x-org-id': 'globex' }],
      [MOBILES, base, {}],
      [MOBILES, [], ACME],
      [USER_ACCOUNTS, [], ACME],
    ] as const) {
      const other = await gateway.callback(path, body, headers);
      expect(outcomeOf(other)).toMatchObject({ status: 200, replayed: null });
      ids.push(other.headers.get('x-job-id'));
    }
    expect(new Set(ids).size).toBe(ids.length);
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
  it('may be none, which is a success', async () => {
    const accounts = await gateway.callback(USER_ACCOUNTS, [], jobHeaders(randomUUID()));
    expect(accounts.text).toBe('{"status":"Success","data":{"created_user_account_id":[]}}');
    const mobiles = await gateway.callback(MOBILES, [], jobHeaders(randomUUID()));
    expect(mobiles.text).toBe('{"status":"Success"}');
  });

  it('are run strictly one after another: the second is not sent before the first was answered', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'turn-0', stage: 'reply' });
    const running = gateway.callback(USER_ACCOUNTS, createAccounts('turn', 3), jobHeaders(randomUUID()));
    await held.held();
    // A request that nothing keeps back is answered in the meantime; one of the job would have been, too.
    await gateway.callback(MOBILES, [{ id: 19 }], jobHeaders(randomUUID()));
    expect(gateway.sandbox.journal.requests({ operation: 'createUserAccount' })).toHaveLength(1);
    held.release();
    await running;
    expect(created()).toEqual(['turn-0', 'turn-1', 'turn-2']);
  });

  it('do not stop at a failure, which is reported as [index] loginId: reason beside the ids that were created', async () => {
    const items = [
      createAccount('kept-0'),
      updateAccount('nobody-1', { name: 'x' }),
      createAccount('kept-0'),
      createAccount('kept-3', { password: undefined }),
      createAccount('kept-4'),
      deleteAccount('..'),
    ];
    const reply = bulkReply(await gateway.callback(USER_ACCOUNTS, items, jobHeaders(randomUUID())));
    expect(created()).toEqual(['kept-0', 'kept-4']);
    expect(reply).toEqual({
      status: 'Failure',
      data: { created_user_account_id: gateway.sandbox.journal.effects('userAccountCreated').map(({ id }) => id) },
      errors: [
        '[1] nobody-1: user account not found',
        '[2] kept-0: loginId is taken',
        '[3] kept-3: password is required to create an account',
        // It would reach another path of backend-api.
        '[5] ..: loginId cannot be used as an identifier',
      ],
    });
    expect(gateway.sandbox.journal.requests()).toHaveLength(4);
  });

  it('of a mobile job are reported as [index] id: reason, without what a backend says of itself', async () => {
    gateway.sandbox.faults.set({ mobileId: '21', fault: { kind: 'status', status: 500, message: 'secret internals' } });
    const items = [{ id: 20, name: 'a' }, { id: 21 }, { id: 987_654 }, { id: 22, name: 'b' }];
    const { body, text } = await gateway.callback(MOBILES, items, jobHeaders(randomUUID()));
    expect(body).toEqual({
      status: 'Failure',
      errors: ['[1] 21: not known to be done, there was no answer that shows it', '[2] 987654: mobile not found'],
    });
    expect(text).not.toContain('secret internals');
    expect(gateway.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual([20, 22]);
  });

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
