import { expect, it } from '@jest/globals';
import { expectReplyToMatch } from '../../support/openapi-contract.js';

interface Reply {
  readonly method?: string;
  readonly path: string;
  readonly status?: number;
  readonly headers?: Record<string, string> | Headers;
  readonly body?: unknown;
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const CALLBACK = '/api/v1/UserAccount/BulkOperationCallback';
const LIVE = '/health/live';
const DONE = { status: 'Success' };

function check({ method = 'GET', path, status = 200, headers = json, body }: Reply): void {
  expectReplyToMatch('gateway', method, path, { status, headers, body });
}

it.each<[fault: string, Reply]>([
  ['GET /healthz is not documented in', { path: '/healthz' }],
  ['POST /health/live is not documented in openapi/gateway.yaml.', { method: 'POST', path: LIVE }],
  ['status 502 is not documented', { method: 'POST', path: CALLBACK, status: 502, body: { message: 'm' } }],
  ["body must have required property 'Status'", { path: LIVE, body: { status: 'OK' } }],
  [
    'body must NOT have additional properties',
    { method: 'POST', path: CALLBACK, status: 401, body: { message: 'Unauthorized', stack: '' } },
  ],
  ['content type is "text/plain", not application/json', { path: LIVE, headers: { 'content-type': 'text/plain' } }],
  ['content type is "", not application/json', { path: LIVE, headers: {}, body: { Status: 'OK' } }],
  [
    'header x-job-id must match pattern',
    { method: 'POST', path: CALLBACK, headers: { ...json, 'x-job-id': 'a b' }, body: DONE },
  ],
  ['body must be object', { path: LIVE }],
  ['status 304 is documented without a body', { path: '/.well-known/jwks.json', status: 304, body: {} }],
  [
    "x-job-replayed must be equal to constant\n- body must have required property 'status'",
    { method: 'POST', path: CALLBACK, headers: { ...json, 'x-job-replayed': 'no' }, body: {} },
  ],
])('expectReplyToMatch refuses %s', (fault, reply) => expect(() => check(reply)).toThrow(fault));
