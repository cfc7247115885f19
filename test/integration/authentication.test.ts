import { beforeAll, describe, expect, it } from '@jest/globals';
import { postJson, startTestGateway, type GraphQLReply } from '../support/gateway.js';
import { closeAfterTest, gatewayForAllTests } from '../support/resources.js';

const gateway = gatewayForAllTests();
let bearer: string;

beforeAll(async () => {
  bearer = await gateway.bearer();
});

/** Runs an operation and tells how many keys were fetched for it. */
async function counted(
  query: string,
  authorization?: string,
  variables = {},
): Promise<GraphQLReply & { fetches: number }> {
  gateway.sandbox.journal.clear();
  const reply = await gateway.graphql(query, variables, authorization);
  return { ...reply, fetches: gateway.sandbox.journal.requests({ operation: 'getPublicKeys' }).length };
}

describe('key fetches', () => {
  it.each([
    ['a public query', '{ serviceVersion }', undefined],
    ['a public query with a bad token', '{ serviceVersion }', 'Bearer bad'],
    ['introspection', '{ __schema { queryType { name } } }', undefined],
    ['a public mutation', 'mutation { refreshUserToken(refreshToken: "x") { expiresIn } }', undefined],
    ['a protected field that is skipped', '{ serviceVersion me @skip(if: true) { Org } }', undefined],
    [
      'a fragment that is not included',
      '{ serviceVersion ...F @include(if: false) } fragment F on Query { me { Org } }',
      undefined,
    ],
    [
      'a field that a default skips',
      'query($s: Boolean = true) { serviceVersion me @skip(if: $s) { Org } }',
      undefined,
    ],
    ['another operation of the document', 'query A { serviceVersion } query B { me { Org } }', undefined],
    ['an operation that is not valid', '{ serviceVersion nothing me { Org } }', undefined],
  ])('none for %s', async (_case, query, authorization) => {
    const body = query.startsWith('query A') ? { query, operationName: 'A' } : { query };
    gateway.sandbox.journal.clear();
    await postJson(`${gateway.url}/graphql`, body, authorization === undefined ? {} : { authorization });
    expect(gateway.sandbox.journal.requests({ operation: 'getPublicKeys' })).toEqual([]);
  });

  it.each([
    ['one protected field', '{ me { Org } }'],
    ['several protected fields', '{ me { Org } tags { id } mobile(id: 1) { id } }'],
    ['aliases', '{ a: me { Org } b: me { Org } }'],
    ['fragments', '{ ...F ...F } fragment F on Query { me { Org } ...G } fragment G on Query { tags { id } }'],
    ['a mutation', 'mutation { startBulkUpdateMobile(items: [{ id: 1 }]) { jobId } }'],
  ])('exactly one for %s', async (_case, query) => {
    const { fetches, errors } = await counted(query, bearer);
    expect(errors).toBeUndefined();
    expect(fetches).toBe(1);
  });

  it('exactly one when a variable includes the field', async () => {
    const { fetches } = await counted('query($i: Boolean!) { me @include(if: $i) { Org } }', bearer, { i: true });
    expect(fetches).toBe(1);
  });

  it('exactly one for several fields whose token is refused', async () => {
    const { fetches, errors } = await counted('{ me { Org } tags { id } }', 'Bearer forged');
    expect([fetches, errors?.length]).toEqual([1, 2]);
  });

  it('none without a header, because there is nothing to verify', async () => {
    expect((await counted('{ me { Org } }')).fetches).toBe(0);
  });

  it('one for each of two requests at the same time', async () => {
    gateway.sandbox.journal.clear();
    await Promise.all([gateway.graphql('{ me { Org } }', {}, bearer), gateway.graphql('{ me { Org } }', {}, bearer)]);
    expect(gateway.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(2);
  });
});

describe('refusal', () => {
  it('gives every refused field an error at its own path, aliases included, and the rest its data', async () => {
    const { data, errors } = await gateway.graphql('{ a: me { Org } serviceVersion b: tags { id } }');
    expect(data).toEqual({ a: null, serviceVersion: '0.0.0-test', b: null });
    expect(errors?.map(({ path, extensions }) => [path, extensions.path])).toEqual([
      [['a'], ['a']],
      [['b'], ['b']],
    ]);
  });

  it('keeps the keys of the data in the order of the selection', async () => {
    const { text } = await gateway.graphql('{ z: serviceVersion me { Region Org } a: serviceVersion }', {}, bearer);
    expect(text).toMatch(/"z":.*"me":\{"Region":.*"Org":.*\},"a":/);
  });
});

describe('A key source that hangs', () => {
  it('is waited for no longer than two seconds, whatever calls are allowed', async () => {
    const patient = closeAfterTest(await startTestGateway({ BACKEND_TIMEOUT_SECONDS: '3600' }, { waitsAsUsual: true }));
    const keys = patient.sandbox.faults.hold({ operation: 'getPublicKeys' });
    const { errors } = await patient.graphql('{ me { Org } }', {}, await patient.bearer());
    expect(errors?.[0]?.extensions.code).toBe('ServiceUnavailable');
    keys.release();
  });
});

describe('key rotation', () => {
  it('accepts tokens of both keys while both are published, and of the new one only afterwards', async () => {
    const rotating = closeAfterTest(await startTestGateway());
    const accepted = async (authorization: string): Promise<boolean> =>
      (await rotating.graphql('{ me { Org } }', {}, authorization)).errors === undefined;
    const old = await rotating.bearer();
    await rotating.sandbox.rotateKeys({ keepOld: true });
    const fresh = await rotating.bearer();
    expect([await accepted(old), await accepted(fresh)]).toEqual([true, true]);
    const { body } = await rotating.rest('GET', '/.well-known/jwks.json');
    expect((body as { keys: unknown[] }).keys).toHaveLength(2);
    await rotating.sandbox.rotateKeys({ keepOld: false });
    const newest = await rotating.bearer();
    expect([await accepted(old), await accepted(newest)]).toEqual([false, true]);
  });

  it('with PUBLIC_KEY_MAX_AGE_SECONDS keys are reused, and an unknown kid leads to a fetch', async () => {
    const caching = closeAfterTest(await startTestGateway({ PUBLIC_KEY_MAX_AGE_SECONDS: '600' }));
    const ask = async (): Promise<GraphQLReply> => caching.graphql('{ me { Org } }', {}, await caching.bearer());
    await ask();
    await ask();
    expect(caching.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(1);
    await caching.sandbox.rotateKeys();
    expect((await ask()).errors).toBeUndefined();
    expect(caching.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(2);
  });
});
