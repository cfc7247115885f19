/** The three callbacks as a queue function sees them: one outcome per job, whatever is delivered how often. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type Reply, type TestGateway } from '../support/gateway.js';
import {
  bulkReply,
  createAccount,
  createAccounts,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  outcomeOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { waitFor } from '../support/wait-for.js';

const DATE = '2026-11-19T00:00:00+09:00';
/** Deadline of the jobs that are to miss it; on a busy machine as well they reach their first item before it. */
const DEADLINE_MS = 4_000;
/** Lease of the job that outlives it; long enough to be renewed on a busy machine. */
const LEASE_MS = 2_000;
const ACME = { 'x-org-id': 'acme' };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.sandbox.faults.clear());
afterAll(() => gateway.close());

/** How many requests reached the backends while something was done. */
async function requestsDuring(action: () => Promise<unknown>): Promise<number> {
  const before = gateway.sandbox.journal.requests().length;
  await action();
  return gateway.sandbox.journal.requests().length - before;
}

/** Keeps the bodies of the requests of one operation; the sandbox's journal does not. */
function captureBodies(operation: string): unknown[] {
  const bodies: unknown[] = [];
  gateway.sandbox.faults.set({
    operation,
    match: ({ body }) => {
      bodies.push(body);
      return false;
    },
    fault: { kind: 'garbage' },
  });
  return bodies;
}

async function poll(kind: 'Mobile' | 'UserAccount', jobId: string): Promise<unknown> {
  const field = kind === 'Mobile' ? 'fetchBulkUpdateMobileStatus' : 'fetchBulkOperationUserAccountStatus';
  const { data, errors } = await gateway.graphql(
    `query($jobId: ID!) { ${field}(jobId: $jobId) { state } }`,
    { jobId },
    await gateway.bearer(),
  );
  return errors?.[0]?.extensions.code ?? data?.[field];
}

describe('a second delivery of a job that has ended', () => {
  it.each([
    [
      'driving report',
      DRIVING_REPORT,
      { date: DATE, drivers: [{ mobileId: 'x', employeeCode: 'E', employeeName: '名' }] },
    ],
    ['account job with a success and a failure', USER_ACCOUNTS, [createAccount('replayed'), deleteAccount('nobody')]],
    ['mobile job', MOBILES, [{ id: 11, name: '再送' }]],
  ])('gets the stored reply of the %s to the byte, and nothing is run again', async (_kind, path, body) => {
    const headers = jobHeaders(randomUUID());
    const first = await gateway.callback(path, body, headers);
    expect(outcomeOf(first)).toEqual({ status: 200, text: expect.stringMatching(/^\{.+\}$/), replayed: null });

    let second: Reply | undefined;
    const requests = await requestsDuring(async () => (second = await gateway.callback(path, body, headers)));
    expect(requests).toBe(0);
    expect(second && outcomeOf(second)).toEqual({ status: 200, text: first.text, replayed: 'true' });
    expect([first, second].map((reply) => reply?.headers.get('x-job-id'))).toEqual([
      headers['x-job-id'],
      headers['x-job-id'],
    ]);
  });

  it('gets 422 when it comes with another body, and nothing is run', async () => {
    const headers = jobHeaders(randomUUID());
    await gateway.callback(MOBILES, [{ id: 12, name: 'first' }], headers);
    const requests = await requestsDuring(async () => {
      const other = await gateway.callback(MOBILES, [{ id: 12, name: 'second' }], headers);
      expect([other.status, other.headers.get('x-job-id')]).toEqual([422, headers['x-job-id']]);
    });
    expect(requests).toBe(0);
    const again = await gateway.callback(MOBILES, [{ id: 12, name: 'first' }], headers);
    expect(outcomeOf(again)).toEqual({ status: 200, text: '{"status":"Success"}', replayed: 'true' });
  });
});

describe('a second delivery of a job that is running', () => {
  it('gets 409 with Retry-After and the job id, and the reply once the job has ended', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '13' });
    const headers = jobHeaders(randomUUID());
    const body = [{ id: 13, name: 'slow' }];
    const running = gateway.callback(MOBILES, body, headers);
    await held.held();

    const second = await gateway.callback(MOBILES, body, headers);
    expect([second.status, second.headers.get('x-job-id')]).toEqual([409, headers['x-job-id']]);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(60);

    held.release();
    expect(outcomeOf(await running)).toEqual({ status: 200, text: '{"status":"Success"}', replayed: null });
    expect(outcomeOf(await gateway.callback(MOBILES, body, headers)).replayed).toBe('true');
    expect(gateway.sandbox.journal.effects('mobileUpdated').filter(({ id }) => id === 13)).toHaveLength(1);
  });

  it('gets 422 when it comes with another body', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '14' });
    const headers = jobHeaders(randomUUID());
    const running = gateway.callback(MOBILES, [{ id: 14, name: 'one' }], headers);
    await held.held();
    expect((await gateway.callback(MOBILES, [{ id: 14, name: 'two' }], headers)).status).toBe(422);
    held.release();
    expect((await running).status).toBe(200);
  });

  it('of many at the same time exactly one runs', async () => {
    const headers = jobHeaders(randomUUID());
    const body = [createAccount('only-one')];
    const replies = await Promise.all(Array.from({ length: 12 }, () => gateway.callback(USER_ACCOUNTS, body, headers)));
    const own = replies.filter((reply) => reply.status === 200 && outcomeOf(reply).replayed === null);
    expect(own).toHaveLength(1);
    for (const reply of replies) {
      if (reply.status !== 409) expect(reply.text).toBe(own[0]?.text);
    }
    expect(
      gateway.sandbox.journal.effects('userAccountCreated').filter(({ loginId }) => loginId === 'only-one'),
    ).toHaveLength(1);
  });
});

describe('the same job id', () => {
  it('in another organisation, in none, or of another kind is another job', async () => {
    const jobId = randomUUID();
    const attempts = [
      await gateway.callback(MOBILES, [], jobHeaders(jobId)),
      await gateway.callback(MOBILES, [], jobHeaders(jobId, 'globex')),
      await gateway.callback(MOBILES, [], { 'x-job-id': jobId }),
      await gateway.callback(USER_ACCOUNTS, [], jobHeaders(jobId)),
    ];
    expect(attempts.map((reply) => [reply.status, outcomeOf(reply).replayed])).toEqual(Array(4).fill([200, null]));
    expect(outcomeOf(await gateway.callback(MOBILES, [], jobHeaders(jobId))).replayed).toBe('true');
  });

  it('in an organisation whose code differs in case only is another job', async () => {
    const jobId = randomUUID();
    await gateway.callback(MOBILES, [], jobHeaders(jobId, 'acme'));
    expect(outcomeOf(await gateway.callback(MOBILES, [], jobHeaders(jobId, 'Acme'))).replayed).toBeNull();
  });
});

describe('a job without x-job-id', () => {
  it('is recognised by its content while it is running and afterwards', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '15' });
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

  it('is the same job when the properties of its body come in another order or with other white space', async () => {
    const first = await gateway.callback(MOBILES, '[{"id":16,"name":"ordered","tagIds":[1,2]}]', ACME);
    const second = await gateway.callback(MOBILES, ' [ { "tagIds": [1, 2], "name": "ordered", "id": 16 } ]', ACME);
    expect(outcomeOf(second)).toEqual({ status: 200, text: first.text, replayed: 'true' });
    expect(second.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
  });

  it.each([
    ['another value', MOBILES, [{ id: 17, name: 'B' }], ACME],
    ['another order of items', MOBILES, [{ id: 18 }, { id: 17, name: 'A' }], ACME],
    ['another organisation', MOBILES, [{ id: 17, name: 'A' }], { 'x-org-id': 'globex' }],
    ['no organisation', MOBILES, [{ id: 17, name: 'A' }], {}],
  ])('is another job with %s', async (_difference, path, body, headers: Record<string, string>) => {
    const base = await gateway.callback(MOBILES, [{ id: 17, name: 'A' }], ACME);
    const other = await gateway.callback(path, body, headers);
    expect(outcomeOf(other)).toMatchObject({ status: 200, replayed: null });
    expect(other.headers.get('x-job-id')).not.toBe(base.headers.get('x-job-id'));
  });

  it('is another job of another kind, even with the same body', async () => {
    const [accounts, mobiles] = [
      await gateway.callback(USER_ACCOUNTS, [], ACME),
      await gateway.callback(MOBILES, [], ACME),
    ];
    expect(accounts.headers.get('x-job-id')).not.toBe(mobiles.headers.get('x-job-id'));
  });
});

describe('a job without x-org-id', () => {
  it('is handled, but no user can poll it', async () => {
    const jobId = randomUUID();
    const reply = await gateway.callback(MOBILES, [], { 'x-job-id': jobId });
    expect(outcomeOf(reply)).toEqual({ status: 200, text: '{"status":"Success"}', replayed: null });
    expect(await poll('Mobile', jobId)).toBe('NotFound');
    // The same question about a job of the organisation is answered.
    await gateway.callback(MOBILES, [], jobHeaders(jobId));
    expect(await poll('Mobile', jobId)).toEqual({ state: 'FINISHED' });
  });
});

describe('an empty array', () => {
  it('of account operations is a success without ids', async () => {
    const reply = await gateway.callback(USER_ACCOUNTS, [], jobHeaders(randomUUID()));
    expect([reply.status, reply.text]).toEqual([200, '{"status":"Success","data":{"created_user_account_id":[]}}']);
  });

  it('of mobile updates is a success', async () => {
    const reply = await gateway.callback(MOBILES, [], jobHeaders(randomUUID()));
    expect([reply.status, reply.text]).toEqual([200, '{"status":"Success"}']);
  });
});

describe('the items of a bulk job', () => {
  it('are run strictly one after another: the second is not sent before the first was answered', async () => {
    gateway.sandbox.journal.clear();
    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'turn-0', stage: 'reply' });
    const running = gateway.callback(USER_ACCOUNTS, createAccounts('turn', 3), jobHeaders(randomUUID()));
    await held.held();
    // A request that nothing keeps back is answered in the meantime; one of the job would have been, too.
    await gateway.callback(MOBILES, [{ id: 19 }], ACME);
    expect(gateway.sandbox.journal.requests({ operation: 'createUserAccount' })).toHaveLength(1);
    held.release();
    await running;
    expect(gateway.sandbox.journal.effects('userAccountCreated').map(({ loginId }) => loginId)).toEqual([
      'turn-0',
      'turn-1',
      'turn-2',
    ]);
  });

  it('do not stop at a failure, which is reported as [index] loginId: reason beside the ids that were created', async () => {
    const reply = bulkReply(
      await gateway.callback(
        USER_ACCOUNTS,
        [
          createAccount('kept-0'),
          updateAccount('nobody-1', { name: 'x' }),
          createAccount('kept-0'),
          deleteAccount('nobody-3'),
          createAccount('kept-4'),
          deleteAccount('kept-0'),
        ],
        jobHeaders(randomUUID()),
      ),
    );
    const created = gateway.sandbox.journal
      .effects('userAccountCreated')
      .filter(({ loginId }) => loginId.startsWith('kept-'))
      .map(({ id }) => id);
    expect(created).toHaveLength(2);
    expect(reply).toEqual({
      status: 'Failure',
      data: { created_user_account_id: created },
      errors: [
        '[1] nobody-1: user account not found',
        '[2] kept-0: loginId is taken',
        '[3] nobody-3: user account not found',
      ],
    });
  });

  it('of a mobile job are reported as [index] id: reason', async () => {
    gateway.sandbox.faults.set({ mobileId: '21', fault: { kind: 'status', status: 500, message: 'secret internals' } });
    const { body } = await gateway.callback(
      MOBILES,
      [{ id: 20, name: 'a' }, { id: 21 }, { id: 987_654 }, { id: 22, name: 'b' }],
      jobHeaders(randomUUID()),
    );
    expect(body).toEqual({
      status: 'Failure',
      errors: [expect.stringMatching(/^\[1\] 21: .*backend-api/), '[2] 987654: mobile not found'],
    });
    expect(JSON.stringify(body)).not.toContain('secret internals');
    expect(gateway.sandbox.journal.effects('mobileUpdated').map(({ id }) => id)).toEqual(
      expect.arrayContaining([20, 22]),
    );
  });

  it('need a password and a name only to create, and are judged one by one', async () => {
    const reply = bulkReply(
      await gateway.callback(
        USER_ACCOUNTS,
        [
          createAccount('judged-0', { password: undefined }),
          createAccount('judged-1', { name: undefined }),
          createAccount('judged-2', { password: '' }),
          createAccount('judged-3'),
          updateAccount('judged-3', { useChat: true }),
        ],
        jobHeaders(randomUUID()),
      ),
    );
    expect(reply.errors).toEqual([
      '[0] judged-0: password is required to create an account',
      '[1] judged-1: name is required to create an account',
      '[2] judged-2: password is required to create an account',
    ]);
    expect(reply.data?.created_user_account_id).toHaveLength(1);
  });

  it('never show a password, not even when backend-api repeats it', async () => {
    const password = 'Tr0ub4dor&3';
    gateway.sandbox.faults.set({
      operation: 'createUserAccount',
      loginId: 'echoed',
      fault: { kind: 'status', status: 422, message: `"${password}" is too weak a password` },
    });
    const headers = jobHeaders(randomUUID());
    const reply = await gateway.callback(USER_ACCOUNTS, [createAccount('echoed', { password })], headers);
    expect(bulkReply(reply).errors).toEqual([expect.stringMatching(/^\[0\] echoed: .+/)]);
    expect(reply.text).not.toContain('Tr0ub4dor');
  });

  it('may hold unknown properties, which are ignored and not passed on', async () => {
    const bodies = captureBodies('createUserAccount');
    const patches = captureBodies('updateMobile');
    const account = { ...createAccount('unknown-fields', { isSuperuser: true }), note: 'for the queue' };
    const accounts = await gateway.callback(USER_ACCOUNTS, [account], jobHeaders(randomUUID()));
    const mobiles = await gateway.callback(
      MOBILES,
      [{ id: 23, name: 'known', colour: 'red', position: null }],
      jobHeaders(randomUUID()),
    );
    expect([bulkReply(accounts).status, bulkReply(mobiles).status]).toEqual(['Success', 'Success']);
    expect(bodies).toEqual([
      { loginId: 'unknown-fields', password: 'a-long-password', name: 'Name of unknown-fields' },
    ]);
    expect(patches).toEqual([{ name: 'known' }]);
  });

  it.each(['.', '..'])('whose loginId %j would reach another path of backend-api are refused', async (loginId) => {
    const requests = await requestsDuring(async () => {
      const reply = await gateway.callback(USER_ACCOUNTS, [deleteAccount(loginId), updateAccount(loginId)], ACME);
      const reason = `${loginId}: loginId cannot be used as an identifier`;
      expect(bulkReply(reply).errors).toEqual([`[0] ${reason}`, `[1] ${reason}`]);
    });
    expect(requests).toBe(0);
  });

  it('carry the job id and their index as Idempotency-Key when they create', async () => {
    const jobId = randomUUID();
    gateway.sandbox.journal.clear();
    await gateway.callback(USER_ACCOUNTS, [deleteAccount('nobody'), createAccount('with-key')], jobHeaders(jobId));
    expect(gateway.sandbox.journal.requests().map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      undefined,
      `acme:${jobId}:1`,
    ]);
  });
});

describe('a body that cannot be a job', () => {
  it.each([
    [
      'nested deeper than any stack',
      `[{"type":1,"userAccountInput":{"loginId":"x","indivs":${'['.repeat(1e5)}${']'.repeat(1e5)}}}]`,
    ],
    ['a number beyond any double', '[{"type":1,"userAccountInput":{"loginId":"x","indivs":[1e999]}}]'],
    ['not UTF-8', Buffer.from('[{"type":1,"userAccountInput":{"loginId":"\xff"}}]', 'latin1')],
    ['cut short', '[{"type":1,"userAccountInput":{"loginId":"x"'],
  ])('%s is 400, and nothing is run', async (_fault, body) => {
    const requests = await requestsDuring(async () => {
      const reply = await gateway.rest('POST', USER_ACCOUNTS, {
        headers: {
          'content-type': 'application/json',
          'x-api-key': 'development-callback-key',
          ...jobHeaders(randomUUID()),
        },
        body,
      });
      expect([reply.status, reply.body]).toEqual([400, { message: expect.any(String), errors: [expect.anything()] }]);
    });
    expect(requests).toBe(0);
  });

  it('with more items than BULK_MAX_ITEMS is 413 and names the limit', async () => {
    const body = Array.from({ length: 1_001 }, () => ({ id: 1 }));
    const { status, body: said } = await gateway.callback(MOBILES, body, jobHeaders(randomUUID()));
    expect([status, said]).toEqual([413, { message: 'Too many items: 1001. The limit is 1000 (BULK_MAX_ITEMS).' }]);
  });

  it('keeps its job id free for a body that can', async () => {
    const headers = jobHeaders(randomUUID());
    expect((await gateway.callback(MOBILES, [{ id: 'one' }], headers)).status).toBe(400);
    expect(outcomeOf(await gateway.callback(MOBILES, [{ id: 24 }], headers))).toMatchObject({
      status: 200,
      replayed: null,
    });
  });
});

describe('a client that goes away', () => {
  it('does not cancel its job', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'left-0' });
    const headers = jobHeaders(randomUUID());
    const body = createAccounts('left', 3);
    const client = request(`${gateway.url}${USER_ACCOUNTS}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'x-api-key': 'development-callback-key', ...headers },
    });
    client.end(JSON.stringify(body));
    await held.held();
    client.destroy(new Error('gone'));
    await expect(once(client, 'response')).rejects.toThrow('gone');
    held.release();

    const reply = await waitFor('the job to end', async () => {
      const again = await gateway.callback(USER_ACCOUNTS, body, headers);
      return again.status === 200 && again;
    });
    expect([bulkReply(reply).status, outcomeOf(reply).replayed]).toEqual(['Success', 'true']);
    expect(
      gateway.sandbox.journal.effects('userAccountCreated').filter(({ loginId }) => loginId.startsWith('left-')),
    ).toHaveLength(3);
  });
});

describe('a job that takes longer', () => {
  it('than JOB_LEASE_SECONDS keeps its lease by renewing it', async () => {
    const brief = await startTestGateway({ JOB_LEASE_SECONDS: String(LEASE_MS / 1000) });
    try {
      const held = brief.sandbox.faults.hold({ operation: 'updateMobile' });
      const headers = jobHeaders(randomUUID());
      const began = Date.now();
      const running = brief.callback(MOBILES, [{ id: 1, name: 'long' }], headers);
      await held.held();
      await waitFor('three leases to go by', async () => {
        const { status } = await brief.callback(MOBILES, [{ id: 1, name: 'long' }], headers);
        expect(status).toBe(409);
        return Date.now() - began > 3 * LEASE_MS;
      });
      held.release();
      expect(outcomeOf(await running)).toMatchObject({ status: 200, replayed: null });
      expect(brief.sandbox.journal.requests({ operation: 'updateMobile' })).toHaveLength(1);
    } finally {
      await brief.close();
    }
  });

  it('than JOB_DEADLINE_SECONDS ends: what is left is reported as not done', async () => {
    const hasty = await startTestGateway({ JOB_DEADLINE_SECONDS: String(DEADLINE_MS / 1000) });
    try {
      const held = hasty.sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'late-0' });
      const began = Date.now();
      const running = hasty.callback(USER_ACCOUNTS, createAccounts('late', 3), jobHeaders(randomUUID()));
      await held.held();
      await waitFor('the deadline', () => Date.now() - began > DEADLINE_MS + 300);
      held.release();
      expect(bulkReply(await running)).toEqual({
        status: 'Failure',
        data: { created_user_account_id: [expect.any(Number)] },
        errors: [
          expect.stringMatching(/^\[1\] late-1: not done, .*time/),
          expect.stringMatching(/^\[2\] late-2: not done, .*time/),
        ],
      });
      expect(hasty.sandbox.journal.effects('userAccountCreated')).toHaveLength(1);
    } finally {
      await hasty.close();
    }
  });

  it('than JOB_DEADLINE_SECONDS ends: a driving report is finished with the missing drivers in errorList', async () => {
    const hasty = await startTestGateway({ JOB_DEADLINE_SECONDS: String(DEADLINE_MS / 1000) });
    try {
      // The first report waits for the fonts, which might take until the deadline.
      await hasty.callback(DRIVING_REPORT, { date: DATE, drivers: [] }, jobHeaders(randomUUID()));
      const held = hasty.sandbox.faults.hold({
        operation: 'getDrivingRecord',
        match: ({ mobileId }) => mobileId !== '1',
      });
      const drivers = Array.from({ length: 9 }, (_, index) => ({
        mobileId: String(index + 1),
        employeeCode: `E-${index + 1}`,
        employeeName: `Driver ${index + 1}`,
      }));
      const { status, body } = await hasty.callback(DRIVING_REPORT, { date: DATE, drivers }, jobHeaders(randomUUID()));
      held.release();
      expect(status).toBe(200);
      const { key, errorList } = body as {
        key: string;
        errorList: { mobileId: string; code: string; message: string }[];
      };
      expect(key).toMatch(/\.pdf$/);
      const asked = hasty.sandbox.journal.requests({ operation: 'getDrivingRecord' }).length;
      expect(asked).toBeLessThan(drivers.length);
      expect(errorList.map(({ mobileId }) => mobileId)).toEqual(drivers.slice(1).map(({ mobileId }) => mobileId));
      for (const { code, message } of errorList) {
        expect([code, message]).toEqual(['ServiceUnavailable', expect.stringContaining('time allowed')]);
      }
    } finally {
      await hasty.close();
    }
  });
});
