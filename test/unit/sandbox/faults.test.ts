import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../../../src/sandbox/sandbox.js';
import { asService, asUser, sendRaw, startQuietSandbox, urlOf, useSandbox } from './sandbox-client.js';

const own = useSandbox();
const service = asService();

const tags = () => sendRaw(own.sandbox, 'backend-api', '/v1/tags', service);
const health = (backend: 'backend-api' | 'geo-api' | 'voip-api') => sendRaw(own.sandbox, backend, '/health');
const json = { ...service.headers, 'content-type': 'application/json' };
const renaming = { method: 'PATCH', headers: json, body: '{"name":"x"}' };
const rename = (id: number) => sendRaw(own.sandbox, 'backend-api', `/v1/mobiles/${id}`, renaming);
const create = (loginId: string, key = loginId) =>
  sendRaw(own.sandbox, 'backend-api', '/v1/user-accounts', {
    method: 'POST',
    headers: { ...json, 'idempotency-key': key },
    body: JSON.stringify({ loginId, password: 'p', name: 'n' }),
  });

describe('What can go wrong', () => {
  it('down: the connection is cut and nothing is done', async () => {
    own.sandbox.faults.set({ backend: 'backend-api', fault: { kind: 'down' } });
    await expect(rename(1)).rejects.toThrow('fetch failed');
    expect(own.sandbox.journal.effects()).toEqual([]);
    expect(own.sandbox.journal.requests()).toEqual([
      expect.objectContaining({ operation: 'updateMobile', status: undefined, fault: 'down' }),
    ]);
  });

  it('down at the reply: the effect happens, the answer is lost, and the same key brings it', async () => {
    own.sandbox.faults.set({ operation: 'createUserAccount', times: 1, fault: { kind: 'down', stage: 'reply' } });
    await expect(create('lost-answer')).rejects.toThrow('fetch failed');
    const [effect] = own.sandbox.journal.effects('userAccountCreated');
    expect(await create('lost-answer')).toEqual({ status: 201, body: { id: effect?.id } });
    expect(own.sandbox.journal.effects()).toHaveLength(1);
  });

  it('slow: the answer comes late', async () => {
    own.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'slow', milliseconds: 120 } });
    const begin = performance.now();
    expect((await tags()).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(115);
  });

  it('status: any status, with Retry-After, and nothing is done', async () => {
    const busy: Fault = { kind: 'status', status: 503, retryAfter: 7, message: 'busy' };
    own.sandbox.faults.set({ operation: 'updateMobile', fault: busy });
    const response = await fetch(`${own.sandbox.backendApiUrl}/v1/mobiles/1`, renaming);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    expect(await response.json()).toEqual({ message: 'busy' });
    expect(own.sandbox.journal.effects()).toEqual([]);
  });

  it('halfBody: the effect happens, and the answer ends in the middle', async () => {
    own.sandbox.faults.set({ operation: 'updateMobile', fault: { kind: 'halfBody' } });
    const response = await fetch(`${own.sandbox.backendApiUrl}/v1/mobiles/2`, renaming);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(own.sandbox.journal.effects('mobileUpdated')).toHaveLength(1);
  });
});

describe('Where it goes wrong', () => {
  const broken: Fault = { kind: 'status', status: 500 };

  it('for one mobile, or one account named in the path or the body', async () => {
    own.sandbox.faults.set({ mobileId: '3', fault: broken });
    expect([(await rename(3)).status, (await rename(4)).status]).toEqual([500, 200]);
    own.sandbox.faults.set({ loginId: 'ito', fault: { kind: 'status', status: 409 } });
    expect([(await create('ito')).status, (await create('abe')).status]).toEqual([409, 201]);
    expect((await sendRaw(own.sandbox, 'backend-api', '/v1/user-accounts/ito', service)).status).toBe(409);
  });

  it('until it is switched off; the rule set last wins', async () => {
    own.sandbox.faults.set({ operation: 'listTags', fault: broken });
    const off = own.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'status', status: 429 } });
    expect((await tags()).status).toBe(429);
    off();
    expect((await tags()).status).toBe(500);
    own.sandbox.faults.clear();
    expect((await tags()).status).toBe(200);
  });
});

describe('Holding requests', () => {
  it('can hold several, and the answer instead of the request', async () => {
    const hold = own.sandbox.faults.hold({ operation: 'updateMobile', stage: 'reply' });
    const held = [rename(7), rename(8)];
    await hold.held(2);
    expect(
      own.sandbox.journal
        .effects('mobileUpdated')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([7, 8]);
    expect(own.sandbox.journal.requests().map(({ status }) => status)).toEqual([undefined, undefined]);
    hold.release();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('ends with all faults', async () => {
    const hold = own.sandbox.faults.hold({ operation: 'listTags' });
    const held = tags();
    await hold.held();
    own.sandbox.faults.clear();
    expect((await held).status).toBe(200);
  });
});

describe('The journal', () => {
  it('tells requests and effects in one order, and which request caused an effect', async () => {
    await tags();
    await rename(9);
    const [, request] = own.sandbox.journal.requests();
    const [effect] = own.sandbox.journal.effects();
    expect(request).toMatchObject({
      backend: 'backend-api',
      operation: 'updateMobile',
      method: 'PATCH',
      path: '/v1/mobiles/9',
      query: {},
      authorization: false,
      apiKey: 'right',
      org: 'acme',
      user: undefined,
      idempotencyKey: undefined,
      status: 200,
    });
    expect(effect).toMatchObject({ request: request?.sequence, sequence: (request?.sequence ?? 0) + 1 });
    expect(new Date(request?.at ?? '').getTime()).toBeGreaterThan(0);
  });

  it('tells who called', async () => {
    await sendRaw(own.sandbox, 'backend-api', '/v1/tags', await asUser(own.sandbox, 'driver'));
    const wrong = { headers: { 'x-api-key': 'wrong', 'x-org-id': 'globex' } };
    await sendRaw(own.sandbox, 'backend-api', '/v1/tags', wrong);
    expect(own.sandbox.journal.requests()).toEqual([
      expect.objectContaining({ authorization: true, apiKey: 'absent', user: 'driver', org: 'acme' }),
      expect.objectContaining({ authorization: false, apiKey: 'wrong', user: undefined, org: 'globex' }),
    ]);
    expect(own.sandbox.journal.requests({ org: 'globex' })).toHaveLength(1);
  });

  it('resolves a wait when the requests have come', async () => {
    const waiting = own.sandbox.journal.waitFor({ backend: 'geo-api', operation: 'getHealth' }, 2);
    await health('geo-api');
    await health('voip-api');
    await health('geo-api');
    expect((await waiting).map(({ backend }) => backend)).toEqual(['geo-api', 'geo-api']);
    expect(await own.sandbox.journal.waitFor({ backend: 'voip-api' })).toHaveLength(1);
  });

  it('holds no password, token, one-time password or key', async () => {
    const token = await own.sandbox.mintToken();
    const login = { loginId: 'otp', password: 'otp-password' };
    const challenge = (await own.backend.POST('/v1/login', { body: login })).data?.challenge ?? '';
    await own.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } });
    const code = own.sandbox.otps.last('otp') ?? '';
    const session = await own.backend.POST('/v1/otp/verify', { body: { loginId: 'otp', code, challenge } });
    const refreshToken = session.data?.refreshToken ?? '';
    await own.backend.POST('/v1/token/refresh', { body: { refreshToken } });
    await own.backend.POST('/v1/user-accounts', {
      headers: { authorization: `Bearer ${token}` },
      body: { loginId: 'journal', password: 'hunter22', name: 'n' },
    });
    await own.backend.PUT('/v1/user-accounts/{loginId}', {
      ...service,
      params: { path: { loginId: 'journal' } },
      body: { loginId: 'journal', password: 'hunter22' },
    });
    await sendRaw(own.sandbox, 'backend-api', '/v1/login?password=hunter22', {
      method: 'POST',
      headers: json,
      body: '{"loginId":"otp","password":["hunter22"]}',
    });
    const text = JSON.stringify([own.sandbox.journal.requests(), own.sandbox.journal.effects()]);
    expect(own.sandbox.journal.requests()).toHaveLength(7);
    const secrets = [
      token,
      'otp-password',
      'hunter22',
      code,
      challenge,
      refreshToken,
      session.data?.accessToken,
      service.headers['x-api-key'],
    ];
    for (const secret of secrets) {
      expect(secret).toMatch(/./);
      expect(text).not.toContain(secret);
    }
  });
});

describe('Starting and closing', () => {
  it('closing cuts every connection, also of held and slow requests, and frees the ports', async () => {
    const other = await startQuietSandbox();
    const hold = other.faults.hold({ operation: 'listTags', stage: 'reply' });
    other.faults.set({ backend: 'geo-api', fault: { kind: 'slow', milliseconds: 600_000 } });
    const pending = Promise.allSettled([
      sendRaw(other, 'backend-api', '/v1/tags', service),
      sendRaw(other, 'geo-api', '/health'),
    ]);
    await hold.held();
    await other.journal.waitFor({ backend: 'geo-api' });
    await other.close();
    const [, slow] = await pending;
    expect(slow.status).toBe('rejected');
    for (const backend of ['backend-api', 'geo-api', 'voip-api'] as const) {
      await expect(sendRaw(other, backend, '/health')).rejects.toThrow('fetch failed');
    }
  });

  it('listens on loopback, on the ports that are asked for', async () => {
    const first = await startQuietSandbox();
    const port = Number(new URL(urlOf(first, 'voip-api')).port);
    await first.close();
    const second = await startQuietSandbox({ ports: { voipApi: port } });
    expect(second.voipApiUrl).toBe(`http://127.0.0.1:${port}`);
    await second.close();
  });

  it('rejects and leaves nothing running when a port is taken', async () => {
    const port = Number(new URL(own.sandbox.backendApiUrl).port);
    await expect(startQuietSandbox({ ports: { geoApi: port } })).rejects.toThrow('EADDRINUSE');
  });
});
