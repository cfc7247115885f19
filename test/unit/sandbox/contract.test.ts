import { describe, expect, it } from '@jest/globals';
import type { SandboxBackend } from '../../../src/sandbox/sandbox.js';
import { BACKEND_KEY } from '../../support/gateway.js';
import { asService, asUser, JSON_TYPE, urlOf, useSandbox } from './sandbox-client.js';

const own = useSandbox();

const DAY = { from: '2026-11-20T00:00:00+09:00', to: '2026-11-21T00:00:00+09:00' };
const ours = { headers: asService() };
const json = { ...asService(), ...JSON_TYPE };
const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', headers, body });
const RECORD = '/v1/mobiles/1/driving-record';

describe('A request that breaks the contract is refused with 400 and journaled', () => {
  it.each<[fault: string, path: string, init?: RequestInit, backend?: SandboxBackend]>([
    ['query parameter limit must be integer', '/v1/mobiles?limit=ten', ours],
    ['query parameter limit must be <= 200', '/v1/mobiles?limit=201', ours],
    ['query parameter limit must be integer', '/v1/mobiles?limit=1&limit=2', ours],
    ['query parameter tagIds/1 must be integer', '/v1/mobiles?tagIds=1,two', ours],
    ['query parameter colour is unknown', '/v1/tags?colour=red', ours],
    ['query parameter limit must be >= 1; query parameter colour is unknown', '/v1/mobiles?limit=0&colour=red', ours],
    ['query parameter to is missing', `${RECORD}?from=2026-11-20T00:00:00Z`, ours],
    // A plus sign that was not encoded.
    ['query parameter from must match format "date-time"', `${RECORD}?from=${DAY.from}&to=2026-11-21T00:00:00Z`, ours],
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
    ['the key of backend-api must not be sent here', '/health', { headers: { 'x-api-key': BACKEND_KEY } }, 'voip-api'],
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
