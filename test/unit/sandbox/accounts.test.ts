import { describe, expect, it } from '@jest/globals';
import { asService, useSandbox, type Reply } from './sandbox-client.js';

interface Account {
  readonly id: number;
  readonly loginId: string;
  readonly isAdmin: boolean;
}

const own = useSandbox();

const ACCOUNTS = '/v1/user-accounts';
const at = (loginId: string): string => `${ACCOUNTS}/${encodeURIComponent(loginId)}`;
const create = (body: object, key?: string, org?: string): Promise<Reply<Account>> => {
  const headers = { ...asService(org), ...(key !== undefined && { 'idempotency-key': key }) };
  return own.ask(`POST ${ACCOUNTS}`, body, { headers });
};
const update = (loginId: string, body: object) => own.ask(`PUT ${at(loginId)}`, body);
const get = (loginId: string) => own.ask<Account>(`GET ${at(loginId)}`);
const remove = (loginId: string) => own.ask(`DELETE ${at(loginId)}`);
const canLogIn = async (loginId: string, password: string) =>
  (await own.ask('POST /v1/login', { loginId, password }, { headers: {} })).status === 200;

it('A created account can log in and is found with all that was given, except the password', async () => {
  const rest = {
    loginId: 'tanaka',
    name: '田中 直樹',
    useChat: true,
    functionRestriction: 3,
    indivs: [1, { any: 'x' }, null],
  };
  const { status, body } = await create({ ...rest, password: 'correct-horse' });
  expect(status).toBe(201);
  expect((await get('tanaka')).body).toEqual({ ...rest, id: body.id, isAdmin: false });
  expect(await canLogIn('tanaka', 'correct-horse')).toBe(true);
  expect(own.sandbox.journal.effects()).toEqual([
    expect.objectContaining({ kind: 'userAccountCreated', org: 'acme', loginId: 'tanaka', id: body.id }),
  ]);
});

describe('What is refused has no effect:', () => {
  it.each<[request: string, body: object, status: number, message: string]>([
    [`POST ${ACCOUNTS}`, { loginId: 'a1', name: 'n' }, 422, 'password is required'],
    [`POST ${ACCOUNTS}`, { loginId: 'a1', name: 'n', password: ' ' }, 422, 'password must not be empty'],
    [`POST ${ACCOUNTS}`, { loginId: 'a1', password: 'p' }, 422, 'name is required'],
    [`POST ${ACCOUNTS}`, { loginId: 'a1', password: 'p', name: '' }, 422, 'name must not be empty'],
    [`POST ${ACCOUNTS}`, { loginId: 'demo', password: 'p', name: 'n' }, 409, 'loginId is taken'],
    [`POST ${ACCOUNTS}`, { loginId: 'globex-admin', password: 'p', name: 'n' }, 409, 'loginId is taken'],
    [`PUT ${at('nobody')}`, { loginId: 'nobody' }, 404, 'user account not found'],
    [`PUT ${at('staff-06')}`, { loginId: 'staff-06', name: '' }, 422, 'name must not be empty'],
    [`PUT ${at('staff-06')}`, { loginId: 'demo' }, 409, 'loginId is taken'],
  ])('%s of %j', async (request, body, status, message) => {
    expect(await own.ask(request, body)).toMatchObject({ status, body: { message } });
    expect(own.sandbox.journal.effects()).toEqual([]);
    expect(await canLogIn('demo', 'demo-password')).toBe(true);
  });
});

describe('Idempotency-Key', () => {
  const input = { loginId: 'suzuki', password: 'p', name: '鈴木 翔太' };

  it('gives a repeated refusal the first answer, even when it would succeed by now', async () => {
    const taken = { loginId: 'staff-03', password: 'p', name: 'n' };
    expect((await create(taken, 'job-2:0')).status).toBe(409);
    await remove('staff-03');
    expect([(await create(taken, 'job-2:0')).status, (await create(taken, 'job-2:1')).status]).toEqual([409, 201]);
  });

  it('refuses the same key with another body', async () => {
    await create({ ...input, loginId: 'kato' }, 'job-3:0');
    const message = 'This Idempotency-Key was used before with another body.';
    const again = await create({ ...input, loginId: 'kato', password: 'another' }, 'job-3:0');
    expect(again).toMatchObject({ status: 422, body: { message } });
    expect(own.sandbox.journal.effects()).toHaveLength(1);
  });

  it('belongs to one organisation', async () => {
    await create({ ...input, loginId: 'mori' }, 'job-4:0');
    expect((await create({ ...input, loginId: 'mori-globex' }, 'job-4:0', 'globex')).status).toBe(201);
    expect(own.sandbox.journal.effects()).toHaveLength(2);
  });
});

it('A change keeps what is not given, and may be a new login id', async () => {
  const before = (await get('staff-04')).body;
  const changed = await update('staff-04', { loginId: 'staff-04', name: 'Noah', password: 'new-password' });
  expect(changed.body).toEqual({ ...before, name: 'Noah' });
  expect([await canLogIn('staff-04', 'staff-password'), await canLogIn('staff-04', 'new-password')]).toEqual([
    false,
    true,
  ]);
  expect(own.sandbox.journal.effects('userAccountUpdated')).toEqual([
    expect.objectContaining({ loginId: 'staff-04', id: before.id, fields: ['loginId', 'name', 'password'] }),
  ]);
  expect((await update('staff-05', { loginId: 'renamed' })).status).toBe(200);
  expect([(await get('staff-05')).status, (await get('renamed')).status]).toEqual([404, 200]);
  expect(await canLogIn('renamed', 'staff-password')).toBe(true);
});

it('A deleted account is gone; a second time it is not found', async () => {
  expect([(await remove('staff-07')).status, (await remove('staff-07')).status]).toEqual([204, 404]);
  expect(await canLogIn('staff-07', 'staff-password')).toBe(false);
  expect(own.sandbox.journal.effects('userAccountDeleted')).toHaveLength(1);
});

it('Login ids with slashes, spaces and Japanese characters are found', async () => {
  const loginId = '営業 1/2';
  expect((await create({ loginId, password: 'p', name: 'n' })).status).toBe(201);
  expect((await get(loginId)).body.loginId).toBe(loginId);
  expect((await remove(loginId)).status).toBe(204);
});
