import { describe, expect, it } from '@jest/globals';
import { entriesOf } from '../support/captured-log.js';
import { postJson, startTestGateway } from '../support/gateway.js';
import { closeAfterTest, forAllTests, gatewayForAllTests } from '../support/resources.js';

const gateway = gatewayForAllTests();
const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));

describe('key fetches', () => {
  const fetches = (): number => gateway.sandbox.journal.requests({ operation: 'getPublicKeys' }).length;
  const INCLUDED = 'query($i: Boolean!) { me @include(if: $i) { Org } }';
  const FRAGMENTS = 'fragment F on Query { me { Org } ...G } fragment G on Query { tags { id } }';

  it.each<[what: string, query: string, count: number, authorization?: string, more?: object]>([
    ['a public query', '{ serviceVersion }', 0],
    ['a public query with a bad token', '{ serviceVersion }', 0, 'Bearer bad'],
    ['introspection', '{ __schema { queryType { name } } }', 0],
    ['a public mutation', 'mutation { refreshUserToken(refreshToken: "x") { expiresIn } }', 0],
    ['a protected field that is skipped', '{ serviceVersion me @skip(if: true) { Org } }', 0],
    ['a fragment that is not included', `{ serviceVersion ...F @include(if: false) } ${FRAGMENTS}`, 0],
    ['a field that a default skips', 'query($s: Boolean = true) { serviceVersion me @skip(if: $s) { Org } }', 0],
    ['another operation', 'query A { serviceVersion } query B { me { Org } }', 0, '', { operationName: 'A' }],
    ['an operation that is not valid', '{ serviceVersion nothing me { Org } }', 0],
    ['no header, because there is nothing to verify', '{ me { Org } }', 0],
    ['one protected field', '{ me { Org } }', 1, 'good'],
    ['several protected fields', '{ me { Org } tags { id } mobile(id: 1) { id } }', 1, 'good'],
    ['several fields whose token is refused', '{ me { Org } tags { id } }', 1, 'Bearer forged'],
    ['aliases', '{ a: me { Org } b: me { Org } }', 1, 'good'],
    ['fragments', `{ ...F ...F } ${FRAGMENTS}`, 1, 'good'],
    ['a field that a variable includes', INCLUDED, 1, 'good', { variables: { i: true } }],
    ['a mutation', 'mutation { startBulkUpdateMobile(items: [{ id: 1 }]) { jobId } }', 1, 'good'],
  ])('for %s, asked with %s, are %i', async (...[, query, count, given, more = {}]) => {
    const authorization = given === 'good' ? user.bearer : given;
    const reply = await postJson(`${gateway.url}/graphql`, { query, ...more }, authorization ? { authorization } : {});
    if (given === 'good') expect(await reply.json()).not.toHaveProperty('errors');
    expect(fetches()).toBe(count);
  });

  it('are not repeated when they fail', async () => {
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', times: 1, fault: { kind: 'down' } });
    const { errors } = await gateway.graphql('{ me { Org } }', {}, user.bearer);
    expect([errors?.[0]?.extensions.code, fetches()]).toEqual(['ServiceUnavailable', 1]);
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

it('Tokens that are no access tokens are accepted, and their issuer is in the log once', async () => {
  const kinds = [{ typ: 'ID' }, { token_use: 'id' }, { exp: undefined }];
  for (const claims of kinds) {
    const { data } = await gateway.graphql('{ me { Org } }', {}, await gateway.bearer({ claims }));
    expect(data).toEqual({ me: { Org: 'acme' } });
  }
  expect(entriesOf(gateway.logged(), 'token.of_another_kind')).toMatchObject([{ claim: 'typ' }]);
});
