import { describe, expect, it } from '@jest/globals';
import { contractOf, expectReplyToMatch } from '../../support/openapi-contract.js';

interface Reply {
  readonly method?: string;
  readonly path: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const CALLBACK = '/api/v1/UserAccount/BulkOperationCallback';
const NOT_READY = {
  Status: 'NG',
  Items: { 'geo-api': 'NG', 'backend-api': 'OK', 'voip-api': 'OK' },
  Stores: { 'job-store': 'OK', queue: 'OK', 'object-store': 'OK' },
};

function check({ method = 'GET', path, status = 200, headers = json, body }: Reply): void {
  expectReplyToMatch('gateway', method, path, { status, headers, body });
}

describe('expectReplyToMatch accepts what openapi/gateway.yaml documents', () => {
  it.each<Reply>([
    { path: '/health/live', body: { Status: 'OK' } },
    { path: '/health/ready?strict=true', status: 503, body: NOT_READY },
    { path: '/.well-known/jwks.json', status: 304, headers: {} },
    {
      method: 'POST',
      path: CALLBACK,
      headers: { ...json, 'x-job-id': 'job-1', 'x-job-replayed': 'true' },
      body: { status: 'Success' },
    },
    { method: 'POST', path: CALLBACK, status: 409, headers: { ...json, 'retry-after': '5' }, body: { message: 'm' } },
    { method: 'post', path: '/api/v1/DrivingReport/GenerateCallback', body: { key: 'k', errorList: null } },
    { path: '/files/reports/acme/job.pdf', headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
    { path: '/files/driving-reports%2Forg/acme', status: 404, body: { message: 'Not found' } },
  ])('$path $status $body', (reply) => {
    expect(() => {
      check(reply);
      expectReplyToMatch('gateway', reply.method ?? 'GET', reply.path, {
        status: reply.status ?? 200,
        headers: new Headers(reply.headers ?? json),
        body: reply.body,
      });
    }).not.toThrow();
  });
});

describe('expectReplyToMatch refuses', () => {
  it.each<Reply & { what: string; message: string }>([
    { what: 'a path that is not documented', path: '/healthz', message: 'GET /healthz is not documented in' },
    {
      what: 'a method that is not documented',
      method: 'POST',
      path: '/health/live',
      message: 'POST /health/live is not documented in openapi/gateway.yaml.',
    },
    { what: 'more segments than the template has', path: '/health/live/more', message: 'is not documented' },
    {
      what: 'a status that is not documented',
      method: 'POST',
      path: CALLBACK,
      status: 502,
      body: { message: 'm' },
      message: 'status 502 is not documented',
    },
    {
      what: 'a body of another shape',
      path: '/health/live',
      body: { status: 'OK' },
      message: "body must have required property 'Status'",
    },
    {
      what: 'a value that is not allowed',
      path: '/health/live',
      body: { Status: 'NG' },
      message: 'body/Status must be equal to constant',
    },
    {
      what: 'an additional property',
      method: 'POST',
      path: CALLBACK,
      status: 401,
      body: { message: 'Unauthorized', stack: '' },
      message: 'body must NOT have additional properties',
    },
    {
      what: 'another content type',
      path: '/health/live',
      headers: { 'content-type': 'text/plain' },
      body: { Status: 'OK' },
      message: 'content type is "text/plain", not application/json',
    },
    {
      what: 'no content type',
      path: '/health/live',
      headers: {},
      body: { Status: 'OK' },
      message: 'content type is "", not application/json',
    },
    {
      what: 'a documented header of another shape',
      method: 'POST',
      path: CALLBACK,
      headers: { ...json, 'x-job-id': 'a b' },
      body: { status: 'Success' },
      message: 'header x-job-id must be 1 to 128 of the characters',
    },
    { what: 'a missing body', path: '/health/live', message: 'body must be object' },
    {
      what: 'a body where none is documented',
      path: '/.well-known/jwks.json',
      status: 304,
      body: {},
      message: 'status 304 is documented without a body',
    },
  ])('$what', ({ message, ...reply }) => {
    expect(() => {
      check(reply);
    }).toThrow(message);
  });

  it('everything that is wrong at once', () => {
    expect(() => {
      check({ method: 'POST', path: CALLBACK, headers: { ...json, 'x-job-replayed': 'no' }, body: {} });
    }).toThrow(/x-job-replayed must be equal to constant\n- body must have required property 'status'/);
  });
});

describe('Requests are read as the contract says', () => {
  const read = (path: string, query: string) =>
    contractOf('backend-api').readRequest({
      method: 'GET',
      path,
      query: new URLSearchParams(query),
      headers: {},
      body: '',
    });

  it('numbers and lists become values, path parameters are decoded', () => {
    expect(read('/v1/mobiles', 'limit=10&tagIds=1,2&search=a%2Cb')).toMatchObject({
      query: { limit: 10, tagIds: [1, 2], search: 'a,b' },
      violations: [],
    });
    expect(read('/v1/user-accounts/a%2Fb', '')).toMatchObject({ path: { loginId: 'a/b' }, violations: [] });
  });

  it('paths without parameters win over those with', () => {
    const contract = contractOf('backend-api');
    expect(contract.operationFor('POST', '/v1/mobiles/lookup')?.operationId).toBe('lookupMobiles');
    expect(contract.operationFor('GET', '/v1/mobiles/lookup')?.operationId).toBe('getMobile');
  });

  it('a path with a broken percent sign belongs to no operation', () => {
    expect(read('/v1/mobiles/%zz', '')).toBeUndefined();
  });
});
