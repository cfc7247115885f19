import { describe, expect, it } from '@jest/globals';
import type { Fault } from '../../../src/sandbox/sandbox.js';
import { asService, asking, startQuietSandbox, useSandbox } from './sandbox-client.js';

const own = useSandbox();

const tags = () => own.ask('GET /v1/tags');
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
  it('ends with all faults', async () => {
    const hold = own.sandbox.faults.hold({ operation: 'listTags' });
    const held = tags();
    await hold.held();
    own.sandbox.faults.clear();
    expect((await held).status).toBe(200);
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

  it('rejects and leaves nothing running when a port is taken', async () => {
    const port = Number(new URL(own.sandbox.backendApiUrl).port);
    await expect(startQuietSandbox({ ports: { geoApi: port } })).rejects.toThrow('EADDRINUSE');
  });
});
