import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../../../src/sandbox/sandbox.js';
import { asService, asUser, asking, startQuietSandbox, useSandbox, withAnother } from './sandbox-client.js';

const own = useSandbox();

const tags = () => own.ask('GET /v1/tags');
const health = (of: 'geo-api' | 'voip-api') => own.ask('GET /health', undefined, { of });
const rename = (id: number) => own.ask(`PATCH /v1/mobiles/${id}`, { name: 'x' });
/** As it is sent, because its reply is none of the contract. */
const renameRaw = (id: number) => {
  const headers = { ...asService(), 'content-type': 'application/json' };
  return fetch(`${own.sandbox.backendApiUrl}/v1/mobiles/${id}`, { method: 'PATCH', headers, body: '{"name":"x"}' });
};
const create = (loginId: string, key = loginId) =>
  own.ask(
    'POST /v1/user-accounts',
    { loginId, password: 'p', name: 'n' },
    { headers: { ...asService(), 'idempotency-key': key } },
  );

describe('What can go wrong', () => {
  const CUT = 'fetch failed';
  const BUSY: Fault = { kind: 'status', status: 503, retryAfter: 7, message: 'busy' };

  it.each<[what: string, fault: Fault, heard: string, effects: number]>([
    ['down: the connection is cut and nothing is done', { kind: 'down' }, CUT, 0],
    ['down at the reply: the effect happens, the answer is lost', { kind: 'down', stage: 'reply' }, CUT, 1],
    ['status: any status, with Retry-After, and nothing is done', BUSY, '503 7 {"message":"busy"}', 0],
    ['halfBody: the effect happens, and the answer ends in the middle', { kind: 'halfBody' }, 'terminated', 1],
  ])('%s', async (_what, fault, heard, effects) => {
    own.sandbox.faults.set({ operation: 'updateMobile', times: 1, fault });
    const hear = async (): Promise<string> => {
      const reply = await renameRaw(2);
      return `${reply.status} ${reply.headers.get('retry-after')} ${await reply.text()}`;
    };
    expect(await hear().catch((error: unknown) => (error as Error).message)).toBe(heard);
    expect(own.sandbox.journal.effects('mobileUpdated')).toHaveLength(effects);
    expect(own.sandbox.journal.requests()).toMatchObject([{ operation: 'updateMobile', fault: fault.kind }]);
    expect((await renameRaw(2)).status).toBe(200);
  });

  it('slow: the answer comes late', async () => {
    own.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'slow', milliseconds: 120 } });
    const begin = performance.now();
    expect((await tags()).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(115);
  });
});

describe('Where it goes wrong', () => {
  const broken: Fault = { kind: 'status', status: 500 };

  it('for one mobile, or one account named in the path or the body', async () => {
    own.sandbox.faults.set({ mobileId: '3', fault: broken });
    expect([(await rename(3)).status, (await rename(4)).status]).toEqual([500, 200]);
    own.sandbox.faults.set({ loginId: 'ito', fault: { kind: 'status', status: 409 } });
    expect([(await create('ito')).status, (await create('abe')).status]).toEqual([409, 201]);
    expect((await own.ask('GET /v1/user-accounts/ito')).status).toBe(409);
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
    for (const headers of [await asUser(own.sandbox, 'driver'), { 'x-api-key': 'wrong', 'x-org-id': 'globex' }])
      await own.ask('GET /v1/tags', undefined, { headers });
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
    const open = <T>(request: string, body: object) => own.ask<T>(request, body, { headers: {} });
    const login = { loginId: 'otp', password: 'otp-password' };
    const { challenge } = (await open<{ challenge: string }>('POST /v1/login', login)).body;
    await open('POST /v1/otp/send', { loginId: 'otp' });
    const code = own.sandbox.otps.last('otp') ?? '';
    const verified = await open<Record<string, string>>('POST /v1/otp/verify', { loginId: 'otp', code, challenge });
    const { refreshToken, accessToken } = verified.body;
    await open('POST /v1/token/refresh', { refreshToken });
    const account = { loginId: 'journal', password: 'hunter22', name: 'n' };
    await own.ask('POST /v1/user-accounts', account, { headers: { authorization: `Bearer ${token}` } });
    await own.ask('PUT /v1/user-accounts/journal', account);
    await own.ask('POST /v1/login?password=hunter22', { loginId: 'otp', password: ['hunter22'] });
    const text = JSON.stringify([own.sandbox.journal.requests(), own.sandbox.journal.effects()]);
    expect(own.sandbox.journal.requests()).toHaveLength(7);
    const [key] = Object.values(asService());
    const secrets = [token, 'otp-password', 'hunter22', code, challenge, refreshToken, accessToken, key];
    for (const secret of secrets) {
      expect(secret).toMatch(/./);
      expect(text).not.toContain(secret);
    }
  });
});

describe('Starting and closing', () => {
  it('closing cuts every connection, also of held and slow requests, and frees the ports', async () => {
    const other = await startQuietSandbox();
    const ask = asking(other);
    const hold = other.faults.hold({ operation: 'listTags', stage: 'reply' });
    other.faults.set({ backend: 'geo-api', fault: { kind: 'slow', milliseconds: 600_000 } });
    const pending = Promise.allSettled([ask('GET /v1/tags'), ask('GET /health', undefined, { of: 'geo-api' })]);
    await hold.held();
    await other.journal.waitFor({ backend: 'geo-api' });
    await other.close();
    const [, slow] = await pending;
    expect(slow.status).toBe('rejected');
    for (const of of ['backend-api', 'geo-api', 'voip-api'] as const) {
      await expect(ask('GET /health', undefined, { of })).rejects.toThrow('fetch failed');
    }
  });

  it('listens on loopback, on the ports that are asked for', async () => {
    const port = await withAnother({}, (_ask, { voipApiUrl }) => Promise.resolve(Number(new URL(voipApiUrl).port)));
    await withAnother({ ports: { voipApi: port } }, async (_ask, { voipApiUrl }) => {
      expect(await Promise.resolve(voipApiUrl)).toBe(`http://127.0.0.1:${port}`);
    });
  });

  it('rejects and leaves nothing running when a port is taken', async () => {
    const port = Number(new URL(own.sandbox.backendApiUrl).port);
    await expect(startQuietSandbox({ ports: { geoApi: port } })).rejects.toThrow('EADDRINUSE');
  });
});
