import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BackendName, Sandbox } from '../../../src/sandbox/sandbox.js';
import { contractOf } from '../../support/openapi-contract.js';
import {
  asService,
  asUser,
  clientsOf,
  sendRaw,
  SERVICE_KEY,
  startQuietSandbox,
  type RawRequest,
} from './sandbox-client.js';

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
const DEMO_LOGIN = { loginId: 'demo', password: 'demo-password' };
const OTP_LOGIN = { loginId: 'otp', password: 'otp-password' };
const NEW_ACCOUNT = { loginId: 'contract-test', password: 'secret', name: '契約 花子' };
const service = asService();

/** Sends one request that succeeds for each operation; the client checks the reply. */
const calls: Record<string, () => Promise<{ response: Response }>> = {
  'backend-api getPublicKeys': () => clients.backend.GET('/v1/public-keys'),
  'backend-api login': () => clients.backend.POST('/v1/login', { body: OTP_LOGIN }),
  'backend-api refreshToken': async () => {
    const { data } = await clients.backend.POST('/v1/login', { body: DEMO_LOGIN });
    const refreshToken = data?.session?.refreshToken ?? '';
    return clients.backend.POST('/v1/token/refresh', { body: { refreshToken } });
  },
  'backend-api sendOtp': () => clients.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } }),
  'backend-api sendTestOtp': () => clients.backend.POST('/v1/otp/send-test', { body: { loginId: 'otp' } }),
  'backend-api verifyOtp': async () => {
    const { data } = await clients.backend.POST('/v1/login', { body: OTP_LOGIN });
    await clients.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } });
    const code = sandbox.otps.last('otp') ?? '';
    const challenge = data?.challenge ?? '';
    return clients.backend.POST('/v1/otp/verify', { body: { loginId: 'otp', code, challenge } });
  },
  'backend-api listMobiles': () =>
    clients.backend.GET('/v1/mobiles', { ...service, params: { query: { limit: 200 } } }),
  'backend-api lookupMobiles': () => clients.backend.POST('/v1/mobiles/lookup', { ...service, body: { ids: ['1'] } }),
  'backend-api getMobile': () =>
    clients.backend.GET('/v1/mobiles/{id}', { ...service, params: { path: { id: '15' } } }),
  'backend-api updateMobile': () =>
    clients.backend.PATCH('/v1/mobiles/{id}', { ...service, params: { path: { id: '1' } }, body: { name: '改名' } }),
  'backend-api getDrivingRecord': () =>
    clients.backend.GET('/v1/mobiles/{id}/driving-record', { ...service, params: { path: { id: '1' }, query: DAY } }),
  'backend-api listTags': () => clients.backend.GET('/v1/tags', service),
  'backend-api listUserAccounts': () => clients.backend.GET('/v1/user-accounts', service),
  'backend-api createUserAccount': () => clients.backend.POST('/v1/user-accounts', { ...service, body: NEW_ACCOUNT }),
  'backend-api getUserAccount': () =>
    clients.backend.GET('/v1/user-accounts/{loginId}', { ...service, params: { path: { loginId: 'contract-test' } } }),
  'backend-api updateUserAccount': () =>
    clients.backend.PUT('/v1/user-accounts/{loginId}', {
      ...service,
      params: { path: { loginId: 'contract-test' } },
      body: { loginId: 'contract-test', useChat: true },
    }),
  'backend-api deleteUserAccount': () =>
    clients.backend.DELETE('/v1/user-accounts/{loginId}', {
      ...service,
      params: { path: { loginId: 'contract-test' } },
    }),
  'backend-api getHealth': () => clients.backend.GET('/health'),
  'geo-api reverseGeocode': () =>
    clients.geo.POST('/v1/reverse-geocode', {
      body: {
        points: [
          { lat: 35.6586, lng: 139.7454 },
          { lat: 0, lng: 0 },
        ],
      },
    }),
  'geo-api getHealth': () => clients.geo.GET('/health'),
  'voip-api getPresence': () => clients.voip.GET('/v1/presence', { params: { query: { mobileIds: [1, 2, 3] } } }),
  'voip-api getHealth': () => clients.voip.GET('/health'),
};

const BACKENDS: readonly BackendName[] = ['backend-api', 'geo-api', 'voip-api'];

describe('The replies of the sandbox keep the contract', () => {
  it('for every operation that an OpenAPI file documents, without exception', () => {
    const documented = BACKENDS.flatMap((name) =>
      contractOf(name).operations.map(({ operationId }) => `${name} ${operationId}`),
    );
    expect(Object.keys(calls).sort()).toEqual(documented.sort());
  });

  it.each(Object.keys(calls))('%s', async (name) => {
    const { response } = (await calls[name]?.()) ?? {};
    expect(response?.ok).toBe(true);
    expect(sandbox.journal.contractViolations()).toEqual([]);
    const requests = sandbox.journal.requests();
    expect(requests.map(({ backend, operation = '' }) => `${backend} ${operation}`)).toContain(name);
  });
});

interface Violation {
  readonly what: string;
  readonly backend?: BackendName;
  readonly path: string;
  readonly init?: RawRequest;
  readonly message: string;
}

const json = { ...service.headers, 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', headers, body });
const typed = { 'content-type': 'application/json' };
const RECORD = '/v1/mobiles/1/driving-record';

const violations: readonly Violation[] = [
  {
    what: 'limit is not a number',
    path: '/v1/mobiles?limit=ten',
    init: service,
    message: 'query parameter limit must be integer',
  },
  {
    what: 'limit is too large',
    path: '/v1/mobiles?limit=201',
    init: service,
    message: 'query parameter limit must be <= 200',
  },
  {
    what: 'limit is given twice',
    path: '/v1/mobiles?limit=1&limit=2',
    init: service,
    message: 'query parameter limit must be integer',
  },
  {
    what: 'a tag id is not a number',
    path: '/v1/mobiles?tagIds=1,two',
    init: service,
    message: 'query parameter tagIds/1 must be integer',
  },
  {
    what: 'a query parameter is unknown',
    path: '/v1/tags?colour=red',
    init: service,
    message: 'query parameter colour is unknown',
  },
  {
    what: 'a required query parameter is missing',
    path: `${RECORD}?from=2026-11-20T00:00:00Z`,
    init: service,
    message: 'query parameter to is missing',
  },
  {
    what: 'a plus sign was not encoded',
    init: service,
    path: `${RECORD}?from=${DAY.from}&to=2026-11-21T00:00:00Z`,
    message: 'query parameter from must match format "date-time"',
  },
  {
    what: 'a header is too long',
    path: '/v1/user-accounts',
    init: post('{"loginId":"x"}', { ...json, 'idempotency-key': 'k'.repeat(256) }),
    message: 'header parameter Idempotency-Key must NOT have more than 255 characters',
  },
  { what: 'the body is missing', path: '/v1/login', init: { method: 'POST' }, message: 'body is missing' },
  { what: 'the body is not JSON', path: '/v1/login', init: post('{"loginId"'), message: 'body is not JSON' },
  {
    what: 'a field is missing',
    path: '/v1/login',
    init: post('{"loginId":"demo"}'),
    message: "body must have required property 'password'",
  },
  {
    what: 'a field has the wrong type',
    path: '/v1/mobiles/1',
    init: { method: 'PATCH', headers: json, body: '{"tagIds":["1"]}' },
    message: 'body/tagIds/0 must be integer',
  },
  {
    what: 'the content type is not JSON',
    path: '/v1/login',
    init: post('{"loginId":"demo","password":"x"}', { 'content-type': 'text/plain' }),
    message: 'content type is "text/plain", not application/json',
  },
  {
    what: 'a body comes where none belongs',
    path: '/v1/user-accounts/nobody',
    init: { method: 'DELETE', headers: json, body: '{}' },
    message: 'body is not allowed here',
  },
  {
    what: 'a user token and the service key come together',
    path: '/v1/tags',
    init: { headers: { ...service.headers, authorization: 'Bearer x' } },
    message: 'a bearer token and x-api-key must not be sent together',
  },
  {
    what: 'a user token comes to geo-api',
    backend: 'geo-api',
    path: '/v1/reverse-geocode',
    init: post('{"points":[]}', { ...typed, authorization: 'Bearer x' }),
    message: 'an Authorization header must not be sent here',
  },
  {
    what: 'a latitude is out of range',
    backend: 'geo-api',
    path: '/v1/reverse-geocode',
    init: post('{"points":[{"lat":91,"lng":0}]}', typed),
    message: 'body/points/0/lat must be <= 90',
  },
  {
    what: 'an organisation comes to voip-api',
    backend: 'voip-api',
    path: '/v1/presence?mobileIds=1',
    init: { headers: { 'x-org-id': 'acme' } },
    message: 'x-org-id must not be sent here',
  },
  {
    what: 'the key of backend-api comes to voip-api',
    backend: 'voip-api',
    path: '/health',
    init: { headers: { 'x-api-key': SERVICE_KEY } },
    message: 'the key of backend-api must not be sent here',
  },
  {
    what: 'mobileIds is missing',
    backend: 'voip-api',
    path: '/v1/presence',
    message: 'query parameter mobileIds is missing',
  },
];

describe('A request that breaks the contract is refused with 400 and journaled', () => {
  it.each(violations)('$what', async ({ backend = 'backend-api', path, init, message }) => {
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
      expect.objectContaining({
        operation: undefined,
        contractViolation: 'backend-api: GET /v2/mobiles is not documented',
      }),
    ]);
  });

  it('several faults of one request are all named', async () => {
    const { body } = await sendRaw(sandbox, 'backend-api', '/v1/mobiles?limit=0&colour=red', service);
    expect(body).toEqual({
      message: 'backend-api: query parameter limit must be >= 1; query parameter colour is unknown',
    });
  });
});
