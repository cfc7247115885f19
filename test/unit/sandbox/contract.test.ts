import { describe, expect, it } from '@jest/globals';
import type { BackendName } from '../../../src/sandbox/sandbox.js';
import { contractOf } from '../../support/openapi-contract.js';
import { asService, asUser, JSON_TYPE, SERVICE_KEY, urlOf, useSandbox, type Reply } from './sandbox-client.js';

const own = useSandbox();

const DAY = { from: '2026-11-20T00:00:00+09:00', to: '2026-11-21T00:00:00+09:00' };
const DEMO_LOGIN = { loginId: 'demo', password: 'demo-password' };
const OTP_LOGIN = { loginId: 'otp', password: 'otp-password' };
const NEW_ACCOUNT = { loginId: 'contract-test', password: 'secret', name: '契約 花子' };

const publicly = <T = object>(request: string, body?: object) => own.ask<T>(request, body, { headers: {} });

/** Sends one request that succeeds for each operation; the reply is held against the OpenAPI file. */
const calls: Record<string, () => Promise<Reply<object>>> = {
  'backend-api getPublicKeys': () => publicly('GET /v1/public-keys'),
  'backend-api login': () => publicly('POST /v1/login', OTP_LOGIN),
  'backend-api refreshToken': async () => {
    const { body } = await publicly<{ session: { refreshToken: string } }>('POST /v1/login', DEMO_LOGIN);
    return publicly('POST /v1/token/refresh', { refreshToken: body.session.refreshToken });
  },
  'backend-api sendOtp': () => publicly('POST /v1/otp/send', { loginId: 'otp' }),
  'backend-api sendTestOtp': () => publicly('POST /v1/otp/send-test', { loginId: 'otp' }),
  'backend-api verifyOtp': async () => {
    const { challenge } = (await publicly<{ challenge: string }>('POST /v1/login', OTP_LOGIN)).body;
    await publicly('POST /v1/otp/send', { loginId: 'otp' });
    return publicly('POST /v1/otp/verify', { loginId: 'otp', code: own.sandbox.otps.last('otp'), challenge });
  },
  'backend-api listMobiles': () => own.ask('GET /v1/mobiles?limit=200'),
  'backend-api lookupMobiles': () => own.ask('POST /v1/mobiles/lookup', { ids: ['1'] }),
  'backend-api getMobile': () => own.ask('GET /v1/mobiles/15'),
  'backend-api updateMobile': () => own.ask('PATCH /v1/mobiles/1', { name: '改名' }),
  'backend-api getDrivingRecord': () =>
    own.ask(`GET /v1/mobiles/1/driving-record?${new URLSearchParams(DAY).toString()}`),
  'backend-api listTags': () => own.ask('GET /v1/tags'),
  'backend-api listUserAccounts': () => own.ask('GET /v1/user-accounts'),
  'backend-api createUserAccount': () => own.ask('POST /v1/user-accounts', NEW_ACCOUNT),
  'backend-api getUserAccount': () => own.ask('GET /v1/user-accounts/contract-test'),
  'backend-api updateUserAccount': () =>
    own.ask('PUT /v1/user-accounts/contract-test', { loginId: 'contract-test', useChat: true }),
  'backend-api deleteUserAccount': () => own.ask('DELETE /v1/user-accounts/contract-test'),
  'backend-api getHealth': () => publicly('GET /health'),
  'geo-api reverseGeocode': () => {
    const points = [
      { lat: 35.6586, lng: 139.7454 },
      { lat: 0, lng: 0 },
    ];
    return own.ask('POST /v1/reverse-geocode', { points }, { of: 'geo-api' });
  },
  'geo-api getHealth': () => own.ask('GET /health', undefined, { of: 'geo-api' }),
  'voip-api getPresence': () => own.ask('GET /v1/presence?mobileIds=1,2,3', undefined, { of: 'voip-api' }),
  'voip-api getHealth': () => own.ask('GET /health', undefined, { of: 'voip-api' }),
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
    const { status } = (await calls[name]?.()) ?? {};
    expect([200, 201, 204]).toContain(status);
    expect(own.sandbox.journal.contractViolations()).toEqual([]);
    const requests = own.sandbox.journal.requests();
    expect(requests.map(({ backend, operation = '' }) => `${backend} ${operation}`)).toContain(name);
  });
});

const service = { headers: asService() };
const json = { ...asService(), ...JSON_TYPE };
const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', headers, body });
const RECORD = '/v1/mobiles/1/driving-record';

describe('A request that breaks the contract is refused with 400 and journaled', () => {
  it.each<[fault: string, path: string, init?: RequestInit, backend?: BackendName]>([
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
      { headers: { ...asService(), authorization: 'Bearer x' } },
    ],
    [
      'an Authorization header must not be sent here',
      '/v1/reverse-geocode',
      post('{"points":[]}', { ...JSON_TYPE, authorization: 'Bearer x' }),
      'geo-api',
    ],
    [
      'body/points/0/lat must be <= 90',
      '/v1/reverse-geocode',
      post('{"points":[{"lat":91,"lng":0}]}', JSON_TYPE),
      'geo-api',
    ],
    ['x-org-id must not be sent here', '/v1/presence?mobileIds=1', { headers: { 'x-org-id': 'acme' } }, 'voip-api'],
    ['the key of backend-api must not be sent here', '/health', { headers: { 'x-api-key': SERVICE_KEY } }, 'voip-api'],
    ['query parameter mobileIds is missing', '/v1/presence', {}, 'voip-api'],
  ])('%s', async (fault, path, init, backend = 'backend-api') => {
    const reply = await fetch(`${urlOf(own.sandbox, backend)}${path}`, init);
    expect([reply.status, await reply.json()]).toEqual([400, { message: `${backend}: ${fault}` }]);
    expect(own.sandbox.journal.contractViolations()).toEqual([
      expect.objectContaining({ backend, status: 400, contractViolation: `${backend}: ${fault}` }),
    ]);
    expect(own.sandbox.journal.effects()).toEqual([]);
  });

  it.each(['/v2/mobiles', '/v1/mobiles/%zz'])('%s is not documented, answered with 404 and journaled', async (path) => {
    const reply = await fetch(`${own.sandbox.backendApiUrl}${path}`, { headers: await asUser(own.sandbox) });
    expect(reply.status).toBe(404);
    const contractViolation = `backend-api: GET ${path} is not documented`;
    expect(own.sandbox.journal.contractViolations()).toMatchObject([{ operation: undefined, contractViolation }]);
  });
});
