import { describe, expect, it } from '@jest/globals';
import type { components } from '../../../generated/backend-api.js';
import { asService, useSandbox } from './sandbox-client.js';

type UserAccountInput = components['schemas']['UserAccountInput'];

const own = useSandbox();
const service = asService();

const create = (body: UserAccountInput, key?: string, credentials = service) =>
  own.backend.POST('/v1/user-accounts', {
    ...credentials,
    body,
    params: { header: key === undefined ? {} : { 'Idempotency-Key': key } },
  });
const at = (loginId: string) => ({ ...service, params: { path: { loginId } } });
const update = (loginId: string, body: UserAccountInput) =>
  own.backend.PUT('/v1/user-accounts/{loginId}', { ...at(loginId), body });
const get = (loginId: string) => own.backend.GET('/v1/user-accounts/{loginId}', at(loginId));
const remove = (loginId: string) => own.backend.DELETE('/v1/user-accounts/{loginId}', at(loginId));
const canLogIn = async (loginId: string, password: string) =>
  (await own.backend.POST('/v1/login', { body: { loginId, password } })).response.ok;

it('An organisation begins with its shown logins and its staff', async () => {
  const { data } = await own.backend.GET('/v1/user-accounts', { ...service, params: { query: { limit: 200 } } });
  const items = Array.from(data?.items ?? []);
  expect(items.length).toBeGreaterThanOrEqual(25);
  expect(items.slice(0, 3).map(({ loginId, isAdmin }) => [loginId, isAdmin])).toEqual([
    ['demo', true],
    ['driver', false],
    ['otp', false],
  ]);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
});

describe('Creating an account', () => {
  it('makes one that can log in and is found with all that was given, except the password', async () => {
    const input = {
      loginId: 'tanaka',
      password: 'correct-horse',
      name: '田中 直樹',
      useChat: true,
      functionRestriction: 3,
      indivs: [1, { any: 'thing' }, null],
    };
    const { response, data } = await create(input);
    expect(response.status).toBe(201);
    const { password, ...rest } = input;
    expect((await get('tanaka')).data).toEqual({ ...rest, id: data?.id, isAdmin: false });
    expect(await canLogIn('tanaka', password)).toBe(true);
    expect(own.sandbox.journal.effects()).toEqual([
      expect.objectContaining({ kind: 'userAccountCreated', org: 'acme', loginId: 'tanaka', id: data?.id }),
    ]);
  });

  it.each<[string, UserAccountInput, number, string]>([
    ['without a password', { loginId: 'a1', name: 'n' }, 422, 'password is required'],
    ['with a blank password', { loginId: 'a1', name: 'n', password: ' ' }, 422, 'password must not be empty'],
    ['without a name', { loginId: 'a1', password: 'p' }, 422, 'name is required'],
    ['with an empty name', { loginId: 'a1', password: 'p', name: '' }, 422, 'name must not be empty'],
    ['that exists', { loginId: 'demo', password: 'p', name: 'n' }, 409, 'loginId is taken'],
    ['that exists elsewhere', { loginId: 'globex-admin', password: 'p', name: 'n' }, 409, 'loginId is taken'],
  ])('%s is refused', async (_name, input, status, message) => {
    const { response, error } = await create(input);
    expect([response.status, error]).toEqual([status, { message }]);
    expect(own.sandbox.journal.effects()).toEqual([]);
    expect(await canLogIn('demo', 'demo-password')).toBe(true);
  });
});

describe('Idempotency-Key', () => {
  const input = { loginId: 'suzuki', password: 'p', name: '鈴木 翔太' };

  it('gives a repeated refusal the first answer, even when it would succeed by now', async () => {
    const taken = { loginId: 'staff-03', password: 'p', name: 'n' };
    expect((await create(taken, 'job-2:0')).response.status).toBe(409);
    await remove('staff-03');
    expect((await create(taken, 'job-2:0')).response.status).toBe(409);
    expect((await create(taken, 'job-2:1')).response.status).toBe(201);
  });

  it('refuses the same key with another body', async () => {
    await create({ ...input, loginId: 'kato' }, 'job-3:0');
    const { response, error } = await create({ ...input, loginId: 'kato', password: 'another' }, 'job-3:0');
    expect(response.status).toBe(422);
    expect(error).toEqual({ message: 'This Idempotency-Key was used before with another body.' });
    expect(own.sandbox.journal.effects()).toHaveLength(1);
  });

  it('belongs to one organisation', async () => {
    await create({ ...input, loginId: 'mori' }, 'job-4:0');
    const { response } = await create({ ...input, loginId: 'mori-globex' }, 'job-4:0', asService('globex'));
    expect(response.status).toBe(201);
    expect(own.sandbox.journal.effects()).toHaveLength(2);
  });

  it('gives simultaneous repetitions one effect', async () => {
    const body = { ...input, loginId: 'inoue' };
    const replies = await Promise.all(Array.from({ length: 5 }, () => create(body, 'job-5:0')));
    expect(new Set(replies.map(({ data }) => data?.id)).size).toBe(1);
    expect(own.sandbox.journal.effects()).toHaveLength(1);
  });
});

describe('Changing an account', () => {
  it('changes what is given and keeps the rest', async () => {
    const before = (await get('staff-04')).data;
    const input = { loginId: 'staff-04', name: 'Noah', password: 'new-password' };
    const { data } = await update('staff-04', input);
    expect(data).toEqual({ ...before, name: 'Noah' });
    expect(await canLogIn('staff-04', 'staff-password')).toBe(false);
    expect(await canLogIn('staff-04', 'new-password')).toBe(true);
    expect(own.sandbox.journal.effects('userAccountUpdated')).toEqual([
      expect.objectContaining({ loginId: 'staff-04', id: before?.id, fields: ['loginId', 'name', 'password'] }),
    ]);
  });

  it('renames it, unless the new login id is taken', async () => {
    expect((await update('staff-05', { loginId: 'demo' })).response.status).toBe(409);
    expect((await update('staff-05', { loginId: 'renamed' })).response.status).toBe(200);
    expect((await get('staff-05')).response.status).toBe(404);
    expect((await get('renamed')).response.status).toBe(200);
    expect(await canLogIn('renamed', 'staff-password')).toBe(true);
  });

  it('is refused for an unknown account or with an empty name', async () => {
    const unknown = await update('nobody', { loginId: 'nobody' });
    expect([unknown.response.status, unknown.error]).toEqual([404, { message: 'user account not found' }]);
    const empty = await update('staff-06', { loginId: 'staff-06', name: '' });
    expect([empty.response.status, empty.error]).toEqual([422, { message: 'name must not be empty' }]);
    expect(own.sandbox.journal.effects()).toEqual([]);
  });
});

describe('Deleting an account', () => {
  it('ends it; a second time it is not found', async () => {
    expect((await remove('staff-07')).response.status).toBe(204);
    expect((await remove('staff-07')).response.status).toBe(404);
    expect(await canLogIn('staff-07', 'staff-password')).toBe(false);
    expect(own.sandbox.journal.effects('userAccountDeleted')).toHaveLength(1);
  });

  it('finds login ids with slashes, spaces and Japanese characters', async () => {
    const loginId = '営業 1/2';
    expect((await create({ loginId, password: 'p', name: 'n' })).response.status).toBe(201);
    expect((await get(loginId)).data?.loginId).toBe(loginId);
    expect((await remove(loginId)).response.status).toBe(204);
  });
});
