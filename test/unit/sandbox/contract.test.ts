import { describe, expect, it } from '@jest/globals';
import type { BackendName } from '../../../src/sandbox/sandbox.js';
import { contractOf } from '../../support/openapi-contract.js';
import { asService, asUser, sendRaw, SERVICE_KEY, type RawRequest, useSandbox } from './sandbox-client.js';

const own = useSandbox();

const DAY = { from: '2026-11-20T00:00:00+09:00', to: '2026-11-21T00:00:00+09:00' };
const DEMO_LOGIN = { loginId: 'demo', password: 'demo-password' };
const OTP_LOGIN = { loginId: 'otp', password: 'otp-password' };
const NEW_ACCOUNT = { loginId: 'contract-test', password: 'secret', name: '契約 花子' };
const service = asService();

/** Sends one request that succeeds for each operation; the client checks the reply. */
const calls: Record<string, () => Promise<{ response: Response }>> = {
  'backend-api getPublicKeys': () => own.backend.GET('/v1/public-keys'),
  'backend-api login': () => own.backend.POST('/v1/login', { body: OTP_LOGIN }),
  'backend-api refreshToken': async () => {
    const { data } = await own.backend.POST('/v1/login', { body: DEMO_LOGIN });
    const refreshToken = data?.session?.refreshToken ?? '';
    return own.backend.POST('/v1/token/refresh', { body: { refreshToken } });
  },
  'backend-api sendOtp': () => own.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } }),
  'backend-api sendTestOtp': () => own.backend.POST('/v1/otp/send-test', { body: { loginId: 'otp' } }),
  'backend-api verifyOtp': async () => {
    const { data } = await own.backend.POST('/v1/login', { body: OTP_LOGIN });
    await own.backend.POST('/v1/otp/send', { body: { loginId: 'otp' } });
    const code = own.sandbox.otps.last('otp') ?? '';
    const challenge = data?.challenge ?? '';
    return own.backend.POST('/v1/otp/verify', { body: { loginId: 'otp', code, challenge } });
  },
  'backend-api listMobiles': () => own.backend.GET('/v1/mobiles', { ...service, params: { query: { limit: 200 } } }),
  'backend-api lookupMobiles': () => own.backend.POST('/v1/mobiles/lookup', { ...service, body: { ids: ['1'] } }),
  'backend-api getMobile': () => own.backend.GET('/v1/mobiles/{id}', { ...service, params: { path: { id: '15' } } }),
  'backend-api updateMobile': () =>
    own.backend.PATCH('/v1/mobiles/{id}', { ...service, params: { path: { id: '1' } }, body: { name: '改名' } }),
  'backend-api getDrivingRecord': () =>
    own.backend.GET('/v1/mobiles/{id}/driving-record', { ...service, params: { path: { id: '1' }, query: DAY } }),
  'backend-api listTags': () => own.backend.GET('/v1/tags', service),
  'backend-api listUserAccounts': () => own.backend.GET('/v1/user-accounts', service),
  'backend-api createUserAccount': () => own.backend.POST('/v1/user-accounts', { ...service, body: NEW_ACCOUNT }),
  'backend-api getUserAccount': () =>
    own.backend.GET('/v1/user-accounts/{loginId}', { ...service, params: { path: { loginId: 'contract-test' } } }),
  'backend-api updateUserAccount': () =>
    own.backend.PUT('/v1/user-accounts/{loginId}', {
      ...service,
      params: { path: { loginId: 'contract-test' } },
      body: { loginId: 'contract-test', useChat: true },
    }),
  'backend-api deleteUserAccount': () =>
    own.backend.DELETE('/v1/user-accounts/{loginId}', { ...service, params: { path: { loginId: 'contract-test' } } }),
  'backend-api getHealth': () => own.backend.GET('/health'),
  'geo-api reverseGeocode': () =>
    own.geo.POST('/v1/reverse-geocode', {
      body: {
        points: [
          { lat: 35.6586, lng: 139.7454 },
          { lat: 0, lng: 0 },
        ],
      },
    }),
  'geo-api getHealth': () => own.geo.GET('/health'),
  'voip-api getPresence': () => own.voip.GET('/v1/presence', { params: { query: { mobileIds: [1, 2, 3] } } }),
  'voip-api getHealth': () => own.voip.GET('/health'),
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
    expect(own.sandbox.journal.contractViolations()).toEqual([]);
    const requests = own.sandbox.journal.requests();
    expect(requests.map(({ backend, operation = '' }) => `${backend} ${operation}`)).toContain(name);
  });
});

const json = { ...service.headers, 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', headers, body });
const typed = { 'content-type': 'application/json' };
const RECORD = '/v1/mobiles/1/driving-record';

describe('A request that breaks the contract is refused with 400 and journaled', () => {
  it.each<[fault: string, path: string, init?: RawRequest, backend?: BackendName]>([
    ['query parameter limit must be integer', '/v1/mobiles?limit=ten', service],
    ['query parameter limit must be <= 200', '/v1/mobiles?limit=201', service],
    ['query parameter limit must be integer', '/v1/mobiles?limit=1&limit=2', service],
    ['query parameter tagIds/1 must be integer', '/v1/mobiles?tagIds=1,two', service],
    ['query parameter colour is unknown', '/v1/tags?colour=red', service],
    [
      'query parameter limit must be >= 1; query parameter colour is unknown',
      '/v1/mobiles?limit=0&colour=red',
      service,
    ],
    ['query parameter to is missing', `${RECORD}?from=2026-11-20T00:00:00Z`, service],
    // A plus sign that was not encoded.
    [
      'query parameter from must match format "date-time"',
      `${RECORD}?from=${DAY.from}&to=2026-11-21T00:00:00Z`,
      service,
    ],
    [
      'header parameter Idempotency-Key must NOT have more than 1024 characters',
      '/v1/user-accounts',
      post('{"loginId":"x"}', { ...json, 'idempotency-key': 'k'.repeat(1_025) }),
    ],
    ['body is missing', '/v1/login', { method: 'POST' }],
    ['body is not JSON', '/v1/login', post('{"loginId"')],
    ["body must have required property 'password'", '/v1/login', post('{"loginId":"demo"}')],
    ['body/tagIds/0 must be integer', '/v1/mobiles/1', { method: 'PATCH', headers: json, body: '{"tagIds":["1"]}' }],
    [
      'content type is "text/plain", not application/json',
      '/v1/login',
      post('{"loginId":"demo","password":"x"}', { 'content-type': 'text/plain' }),
    ],
    ['body is not allowed here', '/v1/user-accounts/nobody', { method: 'DELETE', headers: json, body: '{}' }],
    [
      'a bearer token and x-api-key must not be sent together',
      '/v1/tags',
      { headers: { ...service.headers, authorization: 'Bearer x' } },
    ],
    [
      'an Authorization header must not be sent here',
      '/v1/reverse-geocode',
      post('{"points":[]}', { ...typed, authorization: 'Bearer x' }),
      'geo-api',
    ],
    [
      'body/points/0/lat must be <= 90',
      '/v1/reverse-geocode',
      post('{"points":[{"lat":91,"lng":0}]}', typed),
      'geo-api',
    ],
    ['x-org-id must not be sent here', '/v1/presence?mobileIds=1', { headers: { 'x-org-id': 'acme' } }, 'voip-api'],
    ['the key of backend-api must not be sent here', '/health', { headers: { 'x-api-key': SERVICE_KEY } }, 'voip-api'],
    ['query parameter mobileIds is missing', '/v1/presence', {}, 'voip-api'],
  ])('%s', async (fault, path, init, backend = 'backend-api') => {
    const reply = await sendRaw(own.sandbox, backend, path, init);
    expect(reply).toEqual({ status: 400, body: { message: `${backend}: ${fault}` } });
    expect(own.sandbox.journal.contractViolations()).toEqual([
      expect.objectContaining({ backend, status: 400, contractViolation: `${backend}: ${fault}` }),
    ]);
    expect(own.sandbox.journal.effects()).toEqual([]);
  });

  it('a path that is not documented is answered with 404 and journaled', async () => {
    const reply = await sendRaw(own.sandbox, 'backend-api', '/v2/mobiles', await asUser(own.sandbox));
    expect(reply.status).toBe(404);
    expect(own.sandbox.journal.contractViolations()).toEqual([
      expect.objectContaining({
        operation: undefined,
        contractViolation: 'backend-api: GET /v2/mobiles is not documented',
      }),
    ]);
  });
});
