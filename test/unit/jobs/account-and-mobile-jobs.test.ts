/** The calls that bulk jobs make to backend-api, and their replies. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { BackendApi, ServiceCalls } from '../../../src/clients/backend-api.js';
import { contractBreach } from '../../../src/clients/call-error.js';
import { mobilesJob } from '../../../src/jobs/kinds/mobiles-job.js';
import { userAccountsJob } from '../../../src/jobs/kinds/user-accounts-job.js';
import type { Job, JobExecution } from '../../../src/jobs/job.js';
import type { JobEnd } from '../../../src/jobs/record/job-ends.js';
import { jobExecution, patience } from './job-execution.js';
import { keyRefusal, outageError, redirection, refusalError } from '../../support/failed-calls.js';

const MAX_ITEMS = 4;

/** Calls in their order: the name and what was passed. */
let calls: unknown[][];
/** The answer to a call; a thrown error is its failure. */
let answer: (call: string) => unknown;
let services: { org: string | undefined; bypassesCircuit: boolean }[];

beforeEach(() => {
  calls = [];
  services = [];
  answer = () => 7;
});

const call =
  (name: string) =>
  (...args: unknown[]): Promise<unknown> => {
    calls.push([name, ...args]);
    return new Promise((resolve) => resolve(answer(name)));
  };

const backendApi = {
  asService: ({ org, bypassesCircuit }: { org: string | undefined; bypassesCircuit: () => boolean }) => {
    services.push({ org, bypassesCircuit: bypassesCircuit() });
    return {
      createUserAccount: call('create'),
      updateUserAccount: call('update'),
      deleteUserAccount: call('delete'),
      listUserAccounts: call('list'),
      getUserAccount: call('get'),
      updateMobile: call('mobile'),
    } as unknown as ServiceCalls; // those that these jobs use
  },
} as unknown as BackendApi; // they call it as a service alone

let accounts: ReturnType<typeof userAccountsJob>;
let mobiles: ReturnType<typeof mobilesJob>;
beforeEach(() => {
  const options = { backendApi, bulkMaxItems: MAX_ITEMS, queuePatienceMs: 86_400_000 };
  accounts = userAccountsJob(options);
  mobiles = mobilesJob(options);
});

function run(job: Job, body: unknown, changes: Partial<JobExecution> = {}): Promise<JobEnd> {
  const accepted = job.accept(body);
  if (accepted.kind !== 'work') throw new Error(JSON.stringify(accepted));
  return accepted.work.run(jobExecution({ job: { kind: job.kind, org: 'a.b', jobId: 'job-1' }, ...changes }));
}

const create = (input: object): object => ({ type: 0, userAccountInput: { loginId: 'new', ...input } });
const refuse = (status: number, message = 'no'): never => {
  throw refusalError(status, message);
};

describe('a job of accounts', () => {
  it('creates, updates and deletes in order, with an idempotency key for each create', async () => {
    const full = { password: 'secret', name: 'New', isAdmin: false, indivs: [], useConnectionLimit: true };
    const body = [
      create({ ...full, unknownToUs: 1 }),
      { type: 1, userAccountInput: { loginId: 'old', name: 'Renamed' } },
      { type: 2, userAccountInput: { loginId: 'gone' } },
      create(full),
    ];
    expect(await run(accounts, body)).toEqual({
      reply: { status: 'Success', data: { created_user_account_id: [7, 7] } },
    });
    expect(calls).toStrictEqual([
      ['create', { loginId: 'new', ...full }, 'acme:job:0'],
      ['update', { loginId: 'old', name: 'Renamed' }],
      ['delete', 'gone'],
      ['create', { loginId: 'new', ...full }, 'acme:job:3'],
    ]);
    expect(services).toEqual([{ org: 'a.b', bypassesCircuit: false }]);
  });

  it.each([
    ['password', { name: 'n' }],
    ['password', { password: '', name: 'n' }],
    ['name', { password: 'p' }],
    ['name', { password: 'p', name: '' }],
  ])('does not ask backend-api to create an account without %s', async (field, input) => {
    expect(await run(accounts, [create(input)])).toMatchObject({
      reply: { status: 'Failure', errors: [`[0] new: ${field} is required to create an account`] },
      failures: [{ from: 0, label: 'new', code: 'BadInput', reason: 'FieldRequired', values: { field } }],
    });
    expect(calls).toEqual([]);
  });

  describe('a create that may have arrived', () => {
    /** Waits take no time. */
    beforeEach(() => {
      jest.useFakeTimers();
      jest.setTimerTickMode({ mode: 'nextAsync' });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    const underWay = refusalError(409, 'still being answered', 1_000);
    const item = { type: 0, userAccountInput: { loginId: 'tanaka', password: 'secret', name: 'n' } };
    const answerInTurn = (...answers: readonly unknown[]): void => {
      const left = [...answers];
      answer = () => {
        const next = left.length > 1 ? left.shift() : left[0];
        if (next instanceof Error) throw next;
        return next;
      };
    };

    it('is repeated under its key while backend-api says that it is still being answered, or is busy', async () => {
      const busy = [408, 425, 429].map((status) => refusalError(status, 'later'));
      answerInTurn(outageError(), underWay, ...busy, 301);
      const { reply } = await run(accounts, [item], { patience: patience() });
      expect(reply).toEqual({ status: 'Success', data: { created_user_account_id: [301] } });
      expect(new Set(calls.map(([, , key]) => key))).toEqual(new Set(['acme:job:0']));
      expect(calls).toHaveLength(6);
    });

    const [outage, taken, none] = [
      outageError(),
      refusalError(409, 'The login id is taken.'),
      refusalError(404, 'There is no such account.'),
    ];
    const quoting = refusalError(422, 'secret is no password', 1_000);
    const exists = 'an account with this login id exists';
    it.each([
      ['is decided by 409 on its first try', [underWay], 'still being answered'],
      ['in doubt that is refused is refused if there is no account', [outage, taken, none], 'The login id is taken.'],
      [
        'in doubt that is refused is not known if there is an account',
        [outage, taken, {}],
        `not known to be done: The login id is taken; ${exists}`,
      ],
      [
        'in doubt that is refused is looked up until there is an answer',
        [outage, taken, outage, taken, {}],
        `not known to be done: The login id is taken; ${exists}`,
      ],
      [
        'in doubt that is refused is not known if the account cannot be read',
        [outage, taken, contractBreach('backend-api', 'no JSON')],
        'not known to be done: The login id is taken',
      ],
      [
        'in doubt that is refused with the password is not known, and quotes nothing',
        [outage, quoting, {}],
        `not known to be done: the password was refused; ${exists}`,
      ],
    ])('%s', async (_what, answers, text) => {
      answerInTurn(...answers);
      const { reply } = await run(accounts, [item], { patience: patience() });
      expect(reply).toEqual({ status: 'Failure', errors: [`[0] tanaka: ${text}`] });
      expect(calls).toHaveLength(answers.length);
      for (const [name, given] of calls) if (name === 'get') expect(given).toBe('tanaka');
    });

    it('is not repeated by a later attempt once its key may be forgotten', async () => {
      const later = { attempt: 2, startedAt: Date.now() - 86_400_001 };
      expect((await run(accounts, [item], later)).reply).toMatchObject({
        errors: ['[0] tanaka: not known to be done, it was begun too long ago to be repeated safely'],
      });
      expect(calls).toEqual([]);
      await run(accounts, [item], { ...later, startedAt: Date.now() - 86_300_000 });
      expect(calls).toHaveLength(1);
    });
  });

  it('that meets a refusal of our own key ends in good order, and no item has failed', async () => {
    const noted: string[] = [];
    const saveProgress = ({ checkpoint }: { checkpoint: string }): Promise<void> =>
      Promise.resolve(void noted.push(checkpoint));
    answer = () => {
      if (calls.length === 2) throw keyRefusal();
      return 7;
    };
    const items = ['a', 'b', 'c'].map((loginId) => ({ type: 2, userAccountInput: { loginId } }));
    await expect(run(accounts, items, { saveProgress })).rejects.toMatchObject({ end: 'key refused' });
    expect(noted).toEqual(['{"next":1}', '{"next":1,"stoppedIn":1}']);
    expect(calls).toHaveLength(2);
  });

  it('tells what was created besides what failed, and nothing of the password', async () => {
    let creates = 0;
    answer = (name) => {
      if (name === 'update') return refuse(422, 'the password "top-secret" is too short');
      creates += 1;
      return creates === 1 ? 7 : refuse(409, 'there is one');
    };
    const input = { password: 'p', name: 'n' };
    const update = { type: 1, userAccountInput: { loginId: 'old', password: 'top-secret' } };
    const { reply, failures } = await run(accounts, [create(input), update, create(input)]);
    expect(reply).toEqual({
      status: 'Failure',
      data: { created_user_account_id: [7] },
      errors: [expect.not.stringContaining('top-secret'), '[2] new: there is one'],
    });
    expect(failures).toEqual([
      { from: 1, label: 'old', code: 'BadInput', reason: 'PasswordRefused' },
      expect.objectContaining({ from: 2, label: 'new' }),
    ]);
  });

  const UNKNOWN = 'not known to be done, there was no answer that shows it';
  it.each([
    ['that no attempt had begun fails', 1, [404], 'no'],
    ['in doubt is done when it is gone from the accounts that are listed', 2, [404, 200, 404], undefined],
    ['in doubt is done when it is repeated after all', 2, [404, 200, 204], undefined],
    ['in doubt and refused otherwise is not known to be done', 2, [409], 'not known to be done: no'],
    ['in doubt is not known to be done when no accounts are listed', 2, [404, 403], UNKNOWN],
    ['in doubt is not known to be done when the list breaks its contract', 2, [404, 'breach'], UNKNOWN],
    ['in doubt is not known to be done when its repetition is refused otherwise', 2, [404, 200, 409], UNKNOWN],
    ['in doubt is not known to be done when the list is redirected', 2, [404, 302], UNKNOWN],
    ['in doubt is not known to be done when the list is not answered', 2, [404, 503], UNKNOWN],
  ] as const)('a delete %s', async (_what, attempt, answers, error) => {
    answer = () => {
      const status = answers[calls.length - 1] ?? 500;
      if (status === 'breach') throw contractBreach('backend-api', 'no JSON');
      if (status === 302) throw redirection();
      if (status >= 500) throw outageError({ httpStatus: status });
      return status >= 400 ? refuse(status) : undefined;
    };
    const { reply } = await run(accounts, [{ type: 2, userAccountInput: { loginId: 'gone' } }], { attempt });
    expect(reply).toEqual(
      error === undefined
        ? { status: 'Success', data: { created_user_account_id: [] } }
        : { status: 'Failure', errors: [`[0] gone: ${error}`] },
    );
    expect(calls.map(([name]) => name)).toEqual(['delete', 'list', 'delete'].slice(0, answers.length));
  });
});

describe('a job of mobiles', () => {
  it('passes on what is given, and nothing else', async () => {
    const body = [{ id: 1, num: '', unknownToUs: 1 }, { id: 2, name: 'van', tagIds: [] }, { id: 3 }];
    expect(await run(mobiles, body)).toEqual({ reply: { status: 'Success' } });
    expect(calls).toStrictEqual([
      ['mobile', 1, { num: '' }],
      ['mobile', 2, { name: 'van', tagIds: [] }],
      ['mobile', 3, {}],
    ]);
  });

  it.each([400, 403, 409, 422])('does not know whether an update in doubt was done that %d refuses', async (status) => {
    answer = () => refuse(status);
    const { reply, failures } = await run(
      mobiles,
      [1, 2, 3].map((id) => ({ id })),
      { attempt: 2 },
    );
    const errors = ['[0] 1: not known to be done: no', '[1] 2: not known to be done: no', '[2] 3: no'];
    expect(reply).toEqual({ status: 'Failure', errors });
    expect(failures?.[0]).toMatchObject({ from: 0, reason: 'RefusedInDoubt', values: { backendText: 'no' } });
  });

  it('names a mobile that failed by its id', async () => {
    answer = () => refuse(404, 'not there');
    expect(await run(mobiles, [{ id: 12 }])).toMatchObject({
      reply: { status: 'Failure', errors: ['[0] 12: not there'] },
      failures: [{ from: 0, label: '12', code: 'NotFound' }],
    });
  });
});

describe('jobs of accounts and of mobiles', () => {
  it('name the mobiles that a user who orders them has to see, with their places', () => {
    expect(mobiles.mobiles([{ id: 1 }, { id: 20 }])).toEqual([
      { id: '1', path: [0, 'id'] },
      { id: '20', path: [1, 'id'] },
    ]);
    expect(accounts.mobiles([create({ password: 'p', name: 'n' })])).toEqual([]);
    // The body is not validated before.
    for (const body of [null, 'text', 7, {}, [null], ['text'], [{ id: null }], [{ id: {} }], [{}]]) {
      expect(mobiles.mobiles(body)).toEqual([]);
    }
  });

  it('have items that may be done again where they set values, and must not where they create and delete', async () => {
    const noted: unknown[] = [];
    const saveProgress: JobExecution['saveProgress'] = (progress) => Promise.resolve(void noted.push(progress));
    await run(mobiles, [{ id: 1 }], { saveProgress });
    await run(accounts, [create({ password: 'p', name: 'n' })], { saveProgress });
    expect(noted).toMatchObject([{ repeatable: true }, { repeatable: false }]);
  });
});

describe('a body', () => {
  it('may have as many items as the limit says, and is work that goes on where it stopped', () => {
    const accepted = mobiles.accept(Array<object>(MAX_ITEMS).fill({ id: 1 }));
    expect(accepted).toMatchObject({ kind: 'work', work: { total: MAX_ITEMS, resumes: true } });
    const values = { found: MAX_ITEMS + 1, limit: MAX_ITEMS, variable: 'BULK_MAX_ITEMS' };
    // It is counted before it is looked at.
    expect(mobiles.accept(Array<object>(MAX_ITEMS + 1).fill({ id: NaN }))).toEqual({ kind: 'too many', values });
  });

  it('is looked at before it is held against its rules', () => {
    const inexact = { path: '/0/id', reason: 'NumberNotExact' };
    expect(mobiles.accept([{ id: 2 ** 60 }])).toMatchObject({ kind: 'faults', faults: [inexact] });
    expect(mobiles.accept([{ id: 'one' }])).toMatchObject({ kind: 'faults', faults: [{ path: '/0/id' }] });
    expect(mobiles.accept('text')).toMatchObject({ kind: 'faults' });
  });
});
