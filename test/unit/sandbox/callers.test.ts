import { describe, expect, it } from '@jest/globals';
import { BACKEND_KEY } from '../../support/gateway.js';
import { CONTRACTS, exampleBodyOf } from '../../support/openapi-contract.js';
import { asService, asUser, useSandbox, withAnother, type Asking, type Headers } from './sandbox-client.js';

const own = useSandbox();

describe('backend-api', () => {
  const operations = CONTRACTS['backend-api'];
  const isProtected = operations.filter(({ isPublic }) => !isPublic);

  it('declares nothing public but its health, its keys and what leads to a session', () => {
    const isPublic = operations.filter((each) => each.isPublic).map(({ template }) => template);
    expect(isPublic.filter((path) => !/^\/(health|v1\/(public-keys|login|token|otp))\b/.test(path))).toEqual([]);
  });

  it.each(isProtected.map((operation) => [operation.operationId, operation] as const))(
    'answers 401 to %s without valid credentials',
    async (operationId, operation) => {
      const { method, template } = operation;
      const body = exampleBodyOf(operation);
      const span = operationId === 'getDrivingRecord' ? '?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z' : '';
      const credentials: Headers[] = [
        {},
        { 'x-org-id': 'acme' },
        { 'x-api-key': 'wrong', 'x-org-id': 'acme' },
        { authorization: 'Bearer ' },
        { authorization: 'Basic ZGVtbzpkZW1v' },
        { authorization: `Bearer ${await own.sandbox.mintToken({ key: 'unknown' })}` },
        { authorization: `Bearer ${await own.sandbox.mintToken({ claims: { exp: 1 } })}` },
        { authorization: `Bearer ${await own.sandbox.mintToken({ claims: { 'org:id': undefined } })}` },
      ];
      for (const headers of credentials) {
        const request = `${method} ${template.replace(/\{\w+\}/, '1')}${span}`;
        const message = expect.stringMatching(/required|organisation/);
        expect(await own.ask(request, body, { headers })).toMatchObject({ status: 401, body: { message } });
      }
      expect(own.sandbox.journal.effects()).toEqual([]);
    },
  );

  it('answers 403 to the service key for an organisation that it does not know', async () => {
    const reply = await own.ask('GET /v1/mobiles/1', undefined, { headers: asService('unknown-org') });
    expect(reply).toMatchObject({ status: 403, body: { message: 'The organisation is missing or unknown.' } });
  });

  it('takes a service call without an organisation as one of the first', async () => {
    expect((await own.ask('GET /v1/mobiles/1', undefined, { headers: { 'x-api-key': BACKEND_KEY } })).status).toBe(200);
    expect(own.sandbox.journal.requests({ operation: 'getMobile' }).at(-1)?.org).toBe('acme');
  });

  it('shows a user who is no administrator the first 50 mobiles only', async () => {
    const driver: Asking = { headers: await asUser(own.sandbox, 'driver') };
    const { body } = await own.ask<{ items: unknown[] }>('GET /v1/mobiles?limit=200', undefined, driver);
    expect(body.items).toHaveLength(50);
    expect(body).not.toHaveProperty('nextCursor');
    const lookup = await own.ask('POST /v1/mobiles/lookup', { ids: ['50', '51', '1001', 'x', '1'] }, driver);
    expect(lookup.body).toEqual({ ids: ['50', '1'] });
    const status = async (id: number) => (await own.ask(`GET /v1/mobiles/${id}`, undefined, driver)).status;
    expect([await status(50), await status(51)]).toEqual([200, 404]);
  });

  it('lets only administrators and the service change accounts', async () => {
    const driver: Asking = { headers: await asUser(own.sandbox, 'driver') };
    const admin: Asking = { headers: await asUser(own.sandbox) };
    const [one, body] = ['/v1/user-accounts/staff-01', { loginId: 'staff-01', name: 'changed' }];
    for (const reply of [
      await own.ask('POST /v1/user-accounts', body, driver),
      await own.ask(`PUT ${one}`, body, driver),
      await own.ask(`DELETE ${one}`, undefined, driver),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { message: 'Only administrators may change user accounts.' } });
    }
    expect((await own.ask(`GET ${one}`, undefined, driver)).status).toBe(200);
    expect((await own.ask(`PUT ${one}`, body, admin)).status).toBe(200);
  });
});

it('geo-api and voip-api ask for their own keys when they have any', () =>
  withAnother({ geoApiKey: 'geo-key', voipApiKey: 'voip-key' }, async (ask, { journal }) => {
    const presence = async (headers: Headers) =>
      (await ask('GET /v1/presence?mobileIds=1', undefined, { of: 'voip-api', headers })).status;
    expect(await Promise.all([{}, { 'x-api-key': 'geo-key' }, { 'x-api-key': 'voip-key' }].map(presence))).toEqual([
      401, 401, 200,
    ]);
    const geo: Asking = { of: 'geo-api', headers: { 'x-api-key': 'geo-key' } };
    expect((await ask('POST /v1/reverse-geocode', { points: [] }, geo)).status).toBe(200);
    expect((await ask('GET /health', undefined, { of: 'voip-api' })).status).toBe(200);
    expect(journal.contractViolations()).toEqual([]);
  }));
