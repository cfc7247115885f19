import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BackendName, Sandbox } from '../../../src/sandbox/sandbox.js';
import { contractOf } from '../../support/openapi-contract.js';
import { asService, asUser, clientsOf, sendRaw, startQuietSandbox } from './sandbox-client.js';

let sandbox: Sandbox;
let clients: ReturnType<typeof clientsOf>;
beforeAll(async () => {
  sandbox = await startQuietSandbox();
  clients = clientsOf(sandbox);
});
afterAll(async () => {
  await sandbox.close();
});
beforeEach(() => {
  sandbox.journal.clear();
});

const DAY = { from: '2026-11-20T00:00:00+09:00', to: '2026-11-21T00:00:00+09:00' };
const NEW_ACCOUNT = { loginId: 'contract-test', password: 'secret', name: '契約 花子' };
const service = asService();

/** Sends one request that succeeds for each operation; the client checks the reply. */
const calls: Record<string, () => Promise<{ response: Response }>> = {
  'backend-api getPublicKeys': () => clients.backend.GET('/v1/public-keys'),
  'backend-api login': () => clients.backend.POST('/v1/login', { body: { loginId: 'otp', password: 'otp-password' } }),
  'backend-api refreshToken': async () => {
    const { data } = await clients.backend.POST('/v1/login', { body: { loginId: 'demo', password: 'demo-password' } });
    const refreshToken = data?.session?.refreshToken ?? '';
    return clients.backend.POST('/v1/token/refresh', { body: { refreshToken } });
  },
  'backend-api sendOtp': () => clients.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } }),
  'backend-api sendTestOtp': () => clients.backend.POST('/v1/otp/send-test', { body: { loginId: 'otp' } }),
  'backend-api verifyOtp': async () => {
    const { data } = await clients.backend.POST('/v1/login', { body: { loginId: 'otp', password: 'otp-password' } });
    await clients.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } });
    const code = sandbox.otps.last('otp') ?? '';
    const challenge = data?.challenge ?? '';
    return clients.backend.POST('/v1/otp/verify', { body: { loginId: 'otp', code, challenge } });
  },
  'backend-api listMobiles': () => clients.backend.GET('/v1/mobiles', { ...service, params: { query: { limit: 200 } } }),
  'backend-api lookupMobiles': () => clients.backend.POST('/v1/mobiles/lookup', { ...service, body: { ids: ['1'] } }),
  'backend-api getMobile': () => clients.backend.GET('/v1/mobiles/{id}', { ...service, params: { path: { id: '15' } } }),
  'backend-api updateMobile': () => clients.backend.PATCH('/v1/mobiles/{id}', {
    ...service, params: { path: { id: '1' } }, body: { name: '改名' },
  }),
  'backend-api getDrivingRecord': () => clients.backend.GET('/v1/mobiles/{id}/driving-record', {
    ...service, params: { path: { id: '1' }, query: DAY },
  }),
  'backend-api listTags': () => clients.backend.GET('/v1/tags', service),
  'backend-api listUserAccounts': () => clients.backend.GET('/v1/user-accounts', service),
  'backend-api createUserAccount': () => clients.backend.POST('/v1/user-accounts', { ...service, body: NEW_ACCOUNT }),
  'backend-api getUserAccount': () => clients.backend.GET('/v1/user-accounts/{loginId}', {
    ...service, params: { path: { loginId: 'contract-test' } },
  }),
  'backend-api updateUserAccount': () => clients.backend.PUT('/v1/user-accounts/{loginId}', {
    ...service, params: { path: { loginId: 'contract-test' } }, body: { loginId: 'contract-test', useChat: true },
  }),
  'backend-api deleteUserAccount': () => clients.backend.DELETE('/v1/user-accounts/{loginId}', {
    ...service, params: { path: { loginId: 'contract-test' } },
  }),
  'backend-api getHealth': () => clients.backend.GET('/health'),
  'geo-api reverseGeocode': () => clients.geo.POST('/v1/reverse-geocode', {
    body: { points: [{ lat: 35.6586, lng: 139.7454 }, { lat: 0, lng: 0 }] },
  }),
  'geo-api getHealth': () => clients.geo.GET('/health'),
  'voip-api getPresence': () => clients.voip.GET('/v1/presence', { params: { query: { mobileIds: [1, 2, 3] } } }),
  'voip-api getHealth': () => clients.voip.GET('/health'),
};

const BACKENDS: readonly BackendName[] = ['backend-api', 'geo-api', 'voip-api'];

describe('The replies of the sandbox keep the contract', () => {
  it('for every operation that an OpenAPI file documents, without exception', () => {
    const documented = BACKENDS.flatMap((name) =>
      contractOf(name).operations.map(({ operationId }) => `${name} ${operationId}`));
    expect(Object.keys(calls).sort()).toEqual(documented.sort());
  });

  it.each(Object.keys(calls))('%s', async (name) => {
    const { response } = (await calls[name]?.()) ?? {};
    expect(response?.ok).toBe(true);
    expect(sandbox.journal.contractViolations()).toEqual([]);
    expect(sandbox.journal.requests().map(({ backend, operation }) => `${backend} ${String(operation)}`)).toContain(name);
  });
});

describe('A request that breaks the contract is refused with 400 and journaled', () => {
  const json = { ...service.headers, 'content-type': 'application/json' };
  const violations: [string, BackendName, string, { method?: string; headers?: Record<string, string>; body?: string }, string][] = [
    ['limit is not a number', 'backend-api', '/v1/mobiles?limit=ten', service, 'query parameter limit must be integer'],
    ['limit is too large', 'backend-api', '/v1/mobiles?limit=201', service, 'query parameter limit must be <= 200'],
    ['limit is given twice', 'backend-api', '/v1/mobiles?limit=1&limit=2', service, 'query parameter limit must be integer'],
    ['a tag id is not a number', 'backend-api', '/v1/mobiles?tagIds=1,two', service, 'query parameter tagIds/1 must be integer'],
    ['a query parameter is unknown', 'backend-api', '/v1/tags?colour=red', service, 'query parameter colour is unknown'],
    ['a required query parameter is missing', 'backend-api', `/v1/mobiles/1/driving-record?from=${DAY.from.slice(0, 19)}Z`, service, 'query parameter to is missing'],
    ['a plus sign was not encoded', 'backend-api', `/v1/mobiles/1/driving-record?from=${DAY.from}&to=2026-11-21T00:00:00Z`, service, 'query parameter from must match format "date-time"'],
    ['a header is too long', 'backend-api', '/v1/user-accounts', { method: 'POST', headers: { ...json, 'idempotency-key': 'k'.repeat(256) }, body: '{"loginId":"x"}' }, 'header parameter Idempotency-Key must NOT have more than 255 characters'],
    ['the body is missing', 'backend-api', '/v1/login', { method: 'POST' }, 'body is missing'],
    ['the body is not JSON', 'backend-api', '/v1/login', { method: 'POST', headers: json, body: '{"loginId"' }, 'body is not JSON'],
    ['a field is missing', 'backend-api', '/v1/login', { method: 'POST', headers: json, body: '{"loginId":"demo"}' }, "body must have required property 'password'"],
    ['a field has the wrong type', 'backend-api', '/v1/mobiles/1', { method: 'PATCH', headers: json, body: '{"tagIds":["1"]}' }, 'body/tagIds/0 must be integer'],
    ['the content type is not JSON', 'backend-api', '/v1/login', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"loginId":"demo","password":"x"}' }, 'content type is "text/plain", not application/json'],
    ['a body comes where none belongs', 'backend-api', '/v1/user-accounts/nobody', { method: 'DELETE', headers: json, body: '{}' }, 'body is not allowed here'],
    ['a user token comes to geo-api', 'geo-api', '/v1/reverse-geocode', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer x' }, body: '{"points":[]}' }, 'an Authorization header must not be sent here'],
    ['an organisation comes to voip-api', 'voip-api', '/v1/presence?mobileIds=1', { headers: { 'x-org-id': 'acme' } }, 'x-org-id must not be sent here'],
    ['the key of backend-api comes to voip-api', 'voip-api', '/health', { headers: { 'x-api-key': service.headers['x-api-key'] ?? '' } }, 'the key of backend-api must not be sent here'],
    ['mobileIds is missing', 'voip-api', '/v1/presence', {}, 'query parameter mobileIds is missing'],
    ['a latitude is out of range', 'geo-api', '/v1/reverse-geocode', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"points":[{"lat":91,"lng":0}]}' }, 'body/points/0/lat must be <= 90'],
    ['a user token and the service key come together', 'backend-api', '/v1/tags', { headers: { ...service.headers, authorization: 'Bearer x' } }, 'a bearer token and x-api-key must not be sent together'],
  ];

  it.each(violations)('%s', async (_name, backend, path, init, message) => {
    const reply = await sendRaw(sandbox, backend, path, init);
    expect(reply).toEqual({ status: 400, body: { message: `${backend}: ${message}` } });
    expect(sandbox.journal.contractViolations()).toEqual([
      expect.objectContaining({ backend, status: 400, contractViolation: `${backend}: ${message}` }),
    ]);
    expect(sandbox.journal.effects()).toEqual([]);
  });

  it('a path that is not documented is answered with 404 and journaled', async () => {
    const reply = await sendRaw(sandbox, 'backend-api', '/v2/mobiles', await asUser(sandbox));
    expect(reply.status).toBe(404);
    expect(sandbox.journal.contractViolations()).toEqual([
      expect.objectContaining({ operation: undefined, contractViolation: 'backend-api: GET /v2/mobiles is not documented' }),
    ]);
  });

  it('several faults of one request are all named', async () => {
    const { body } = await sendRaw(sandbox, 'backend-api', '/v1/mobiles?limit=0&colour=red', service);
    expect(body).toEqual({
      message: 'backend-api: query parameter limit must be >= 1; query parameter colour is unknown',
    });
  });
});
