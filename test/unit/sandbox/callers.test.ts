import { describe, expect, it } from '@jest/globals';
import { contractOf } from '../../support/openapi-contract.js';
import { asService, asUser, sendRaw, SERVICE_KEY, startQuietSandbox, useSandbox } from './sandbox-client.js';

const SPAN = '?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z';

const own = useSandbox();

describe('backend-api', () => {
  const { operations } = contractOf('backend-api');
  const isProtected = operations.filter(({ isPublic }) => !isPublic);
  const account = JSON.stringify({ loginId: 'intruder', password: 'p', name: 'n' });
  const bodies: Record<string, string> = {
    lookupMobiles: '{"ids":[]}',
    updateMobile: '{}',
    createUserAccount: account,
    updateUserAccount: account,
  };

  it('declares nothing public but its health, its keys and what leads to a session', () => {
    const isPublic = operations.filter((each) => each.isPublic).map(({ template }) => template);
    expect(isPublic.filter((path) => !/^\/(health|v1\/(public-keys|login|token|otp))\b/.test(path))).toEqual([]);
  });

  it.each(isProtected.map((operation) => [operation.operationId, operation] as const))(
    'answers 401 to %s without valid credentials',
    async (operationId, { method, template }) => {
      const span = operationId === 'getDrivingRecord' ? SPAN : '';
      const path = template.replace(/\{\w+\}/, '1') + span;
      const body = bodies[operationId];
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const credentials = [
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
        const reply = await sendRaw(own.sandbox, 'backend-api', path, {
          method,
          headers: { ...json, ...headers },
          ...(body !== undefined && { body }),
        });
        expect(reply.status).toBe(401);
        expect(reply.body).toEqual({ message: expect.stringMatching(/required|organisation/) });
      }
      expect(own.sandbox.journal.effects()).toEqual([]);
    },
  );

  it('answers 403 to the service key for an organisation that it does not know', async () => {
    const reply = await sendRaw(own.sandbox, 'backend-api', '/v1/mobiles/1', asService('unknown-org'));
    expect(reply).toMatchObject({ status: 403, body: { message: 'The organisation is missing or unknown.' } });
  });

  it('takes a service call without an organisation as one of the first', async () => {
    const reply = await sendRaw(own.sandbox, 'backend-api', '/v1/mobiles/1', { headers: { 'x-api-key': SERVICE_KEY } });
    expect(reply.status).toBe(200);
    expect(own.sandbox.journal.requests({ operation: 'getMobile' }).at(-1)?.org).toBe('acme');
  });

  it('shows a user who is no administrator the first 50 mobiles only', async () => {
    const driver = await asUser(own.sandbox, 'driver');
    const { data } = await own.backend.GET('/v1/mobiles', { ...driver, params: { query: { limit: 200 } } });
    expect(data?.items).toHaveLength(50);
    expect(data).not.toHaveProperty('nextCursor');
    const ids = ['50', '51', '1001', 'x', '1'];
    const lookup = await own.backend.POST('/v1/mobiles/lookup', { ...driver, body: { ids } });
    expect(lookup.data).toEqual({ ids: ['50', '1'] });
    const statuses = await Promise.all(
      ['50', '51'].map(
        async (id) =>
          (await own.backend.GET('/v1/mobiles/{id}', { ...driver, params: { path: { id } } })).response.status,
      ),
    );
    expect(statuses).toEqual([200, 404]);
  });

  it('lets nobody but administrators and the service change accounts', async () => {
    const driver = await asUser(own.sandbox, 'driver');
    const body = { loginId: 'staff-01', name: 'changed' };
    const params = { path: { loginId: 'staff-01' } };
    const refusals = [
      await own.backend.POST('/v1/user-accounts', { ...driver, body }),
      await own.backend.PUT('/v1/user-accounts/{loginId}', { ...driver, params, body }),
      await own.backend.DELETE('/v1/user-accounts/{loginId}', { ...driver, params }),
    ];
    for (const { response, error } of refusals) {
      expect(response.status).toBe(403);
      expect(error).toEqual({ message: 'Only administrators may change user accounts.' });
    }
    const read = await own.backend.GET('/v1/user-accounts/{loginId}', { ...driver, params });
    expect(read.response.status).toBe(200);
    const admin = await asUser(own.sandbox);
    const changed = await own.backend.PUT('/v1/user-accounts/{loginId}', { ...admin, params, body });
    expect(changed.response.status).toBe(200);
  });

  it('keeps organisations apart', async () => {
    for (const credentials of [asService('globex'), await asUser(own.sandbox, 'globex-admin')]) {
      const mobiles = await own.backend.GET('/v1/mobiles', { ...credentials, params: { query: { limit: 200 } } });
      expect(Array.from(mobiles.data?.items ?? []).map(({ id }) => id)).toEqual(
        Array.from({ length: 20 }, (_, index) => 1001 + index),
      );
      const accounts = await own.backend.GET('/v1/user-accounts', credentials);
      expect(Array.from(accounts.data?.items ?? []).map(({ loginId }) => loginId)).toEqual(['globex-admin']);
      const foreign = await own.backend.DELETE('/v1/user-accounts/{loginId}', {
        ...credentials,
        params: { path: { loginId: 'demo' } },
      });
      expect([foreign.response.status, foreign.error]).toEqual([404, { message: 'user account not found' }]);
      const mobile = await own.backend.PATCH('/v1/mobiles/{id}', {
        ...credentials,
        params: { path: { id: '1' } },
        body: {},
      });
      expect([mobile.response.status, mobile.error]).toEqual([404, { message: 'mobile not found' }]);
    }
  });
});

it('geo-api and voip-api ask for their own keys when they have any', async () => {
  const keyed = await startQuietSandbox({ geoApiKey: 'geo-key', voipApiKey: 'voip-key' });
  try {
    const status = async (headers: Record<string, string>) =>
      (await sendRaw(keyed, 'voip-api', '/v1/presence?mobileIds=1', { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ 'x-api-key': 'geo-key' })).toBe(401);
    expect(await status({ 'x-api-key': 'voip-key' })).toBe(200);
    expect(
      (
        await sendRaw(keyed, 'geo-api', '/v1/reverse-geocode', {
          method: 'POST',
          headers: { 'x-api-key': 'geo-key', 'content-type': 'application/json' },
          body: '{"points":[]}',
        })
      ).status,
    ).toBe(200);
    expect((await sendRaw(keyed, 'voip-api', '/health')).status).toBe(200);
    expect(keyed.journal.contractViolations()).toEqual([]);
  } finally {
    await keyed.close();
  }
});
