/** A dependency that says no, and records that make no sense. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders } from '../support/job-requests.js';

const REFUSALS = [400, 401, 403, 404, 429];
const WORDS = 'words of the backend that are not for the caller';

/** None of these refusals counts as an outage, so one gateway can meet them all. */
let gateway: TestGateway;
let bearer: string;
let loggedBefore: number;
beforeAll(async () => {
  gateway = await startTestGateway();
  bearer = await gateway.bearer();
});
beforeEach(() => {
  gateway.sandbox.faults.clear();
  loggedBefore = gateway.logged().length;
});
afterAll(() => gateway.close());

const ask = (query: string): Promise<GraphQLReply> => gateway.graphql(query, {}, bearer);
/** What this test has made it log. */
const logged = (): string => gateway.logged().slice(loggedBefore);
const shown = ({ errors = [] }: GraphQLReply): unknown[] =>
  errors.map(({ message, path, extensions }) => [extensions.code, message, path]);

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node | null }[];
}

describe.each(REFUSALS)('A status of %d', (status) => {
  const refuse = (scope: { backend: 'geo-api' | 'voip-api' } | { operation: string }): (() => void) =>
    gateway.sandbox.faults.set({ ...scope, fault: { kind: 'status', status, message: WORDS } });

  it.each([
    ['geo-api', 'position { address }', ['position', 'address']],
    ['voip-api', 'voice { online }', ['voice']],
  ] as const)('of %s is one ServiceUnavailable for the whole operation', async (backend, field, path) => {
    refuse({ backend });
    const reply = await ask(`{ mobiles { edges { node { id ${field} } } } }`);
    expect(shown(reply)).toEqual([
      [
        'ServiceUnavailable',
        `${backend} is temporarily unavailable. Try again later.`,
        ['mobiles', 'edges', 0, 'node', ...path],
      ],
    ]);
    expect((reply.data?.['mobiles'] as Edges<object>).edges).toHaveLength(50);
    expect(reply.text).not.toContain(WORDS);
  });

  it('of geo-api leaves a report without addresses, and nothing else', async () => {
    refuse({ backend: 'geo-api' });
    const drivers = [1, 2].map((id) => ({ mobileId: String(id), employeeCode: `E-${id}`, employeeName: 'Driver' }));
    const body = { date: '2026-11-19T12:34:56+09:00', drivers };
    const reply = await gateway.callback(DRIVING_REPORT, body, jobHeaders(`report-${status}`));
    expect(reply).toMatchObject({ status: 200, body: { errorList: null } });
    expect(logged()).toContain('report.addresses_missing');
  });
});

describe('The key source of a gateway that has no key set yet', () => {
  let starting: TestGateway;
  beforeEach(async () => {
    starting = await startTestGateway();
  });
  afterEach(() => starting.close());

  it('refusing is ServiceUnavailable, and 503 for the key set, until it has been had once', async () => {
    const { faults, journal } = starting.sandbox;
    const asked = (): number => journal.requests({ operation: 'getPublicKeys' }).length;
    const refuse = (status: number): (() => void) =>
      faults.set({ operation: 'getPublicKeys', fault: { kind: 'status', status, message: WORDS } });
    const keySet = () => starting.rest('GET', '/.well-known/jwks.json');
    const unavailable = 'backend-api is temporarily unavailable. Try again later.';
    const token = await starting.bearer();
    for (const status of REFUSALS) {
      const off = refuse(status);
      const before = asked();
      const reply = await starting.graphql('{ me { Org } }', {}, token);
      expect(shown(reply)).toEqual([['ServiceUnavailable', unavailable, ['me']]]);
      const none = await keySet();
      expect([none.status, none.body]).toEqual([503, { message: unavailable }]);
      expect(asked()).toBeGreaterThan(before);
      off();
    }
    const good = await keySet();
    expect(good.status).toBe(200);
    for (const status of REFUSALS) {
      const off = refuse(status);
      const kept = await keySet();
      expect([kept.status, kept.text]).toEqual([200, good.text]);
      off();
    }
  });

  it('skips an odd record among the public keys', async () => {
    const { sandbox } = starting;
    const { keys } = (await (await fetch(`${sandbox.backendApiUrl}/v1/public-keys`)).json()) as { keys: object[] }; // as documented
    const body = { keys: [{ kid: 7, pem: 'x' }, { kid: 'no pem' }, ...keys] };
    sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'status', status: 200, body } });
    const reply = await starting.graphql('{ me { Org } }', {}, await starting.bearer());
    expect(reply.data).toEqual({ me: { Org: 'acme' } });
  });
});

describe('A 401', () => {
  it.each(['sendOtp', 'sendTestOtp'])('to %s is ServiceUnavailable, for nothing was shown', async (operation) => {
    gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 401, message: WORDS } });
    const reply = await gateway.graphql(`mutation { ${operation}(loginId: "demo") { sentTo } }`);
    expect(shown(reply)).toEqual([
      ['ServiceUnavailable', 'backend-api is temporarily unavailable. Try again later.', [operation]],
    ]);
  });

  it('to the list of tags is one error, not one for each mobile', async () => {
    gateway.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'status', status: 401 } });
    const reply = await ask('{ mobiles { edges { node { id tags { name } } } } }');
    expect(shown(reply)).toEqual([
      ['UnAuthenticated', 'token is invalid', ['mobiles', 'edges', expect.any(Number), 'node', 'tags']],
    ]);
  });
});

describe('An impossible coordinate', () => {
  it.each([
    [91, 139.7],
    [35.6, -180.5],
    [1e300, 1e300],
  ])('(%d, %d) costs its own address', async (lat, lng) => {
    const position = { lat: 35.6586, lng: 139.7454, speedKmh: 0, heading: 0, recordedAt: '2026-11-19T12:00:00Z' };
    const mobile = (id: number, at: object): object => ({ id, num: 'M', name: 'Truck', tagIds: [], position: at });
    const items = [mobile(1, position), mobile(2, { ...position, lat, lng }), mobile(3, { ...position, lat: 35.66 })];
    gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'status', status: 200, body: { items } } });
    const reply = await ask('{ mobiles { edges { node { position { latitude address } } } } }');
    expect(reply.errors).toBeUndefined();
    const { edges } = reply.data?.['mobiles'] as Edges<{ position: { latitude: number; address: string | null } }>;
    expect(edges.map(({ node }) => node?.position.latitude)).toEqual([35.6586, lat, 35.66]);
    expect(edges.map(({ node }) => typeof node?.position.address)).toEqual(['string', 'object', 'string']);
  });
});

describe('An odd record', () => {
  /** Answers a list whose fourth entry is odd. */
  function oddFourth(operation: string, entry: (id: number) => object, odd: object): void {
    const items = [1, 2, 3, 4, 5].map((id) => (id === 4 ? { ...entry(id), ...odd } : entry(id)));
    gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 200, body: { items } } });
  }
  const position = { lat: 35.6, lng: 139.7, speedKmh: 0, heading: 0, recordedAt: '2026-11-19T12:00:00Z' };
  const mobile = (id: number): object => ({ id, num: `M-${id}`, name: 'Truck', tagIds: [1], position });
  const account = (id: number): object => ({ id, loginId: `u-${id}`, name: 'User', isAdmin: false });
  const unavailable = 'backend-api is temporarily unavailable. Try again later.';

  it.each([
    ['an id beyond Int', { id: 2 ** 31 }],
    ['a time that does not exist', { position: { ...position, recordedAt: '2026-11-31T12:00:00Z' } }],
    ['a time that cannot be shown', { position: { ...position, recordedAt: '2016-12-31T23:59:60Z' } }],
    ['no number', { num: undefined }],
  ])('of the mobiles, with %s, costs its own node', async (_what, odd) => {
    oddFourth('listMobiles', mobile, odd);
    const reply = await ask(
      '{ mobiles { edges { node { id num tags { id } position { recordedAt } voice { online } } } } }',
    );
    expect(shown(reply)).toEqual([['ServiceUnavailable', unavailable, ['mobiles', 'edges', 3, 'node']]]);
    const { edges } = reply.data?.['mobiles'] as Edges<{ id: number }>;
    expect(edges.map(({ node }) => node?.id)).toEqual([1, 2, 3, undefined, 5]);
    expect(edges[3]).toEqual({ node: null });
  });

  it.each([
    ['an id beyond Int', { id: -(2 ** 31) - 1 }],
    ['a restriction beyond Int', { functionRestriction: 2 ** 40 }],
    ['no name', { name: undefined }],
  ])('of the user accounts, with %s, costs its own node', async (_what, odd) => {
    oddFourth('listUserAccounts', account, odd);
    const reply = await ask('{ userAccounts { edges { node { id name functionRestriction } } } }');
    expect(shown(reply)).toEqual([['ServiceUnavailable', unavailable, ['userAccounts', 'edges', 3, 'node']]]);
    const { edges } = reply.data?.['userAccounts'] as Edges<{ id: number }>;
    expect(edges.map(({ node }) => node?.id)).toEqual([1, 2, 3, undefined, 5]);
  });

  it('of the tags is left out, wherever tags are shown, and logged', async () => {
    oddFourth('listTags', (id) => ({ id, name: `Tag ${id}` }), { id: 2 ** 31 });
    const reply = await ask('{ tags { id } mobiles(first: 1) { edges { node { tags { id } } } } }');
    expect(reply.errors).toBeUndefined();
    expect(reply.data?.['tags']).toEqual([1, 2, 3, 5].map((id) => ({ id })));
    expect(logged()).toMatch(/"entries":1,"reason":"backend-api sent .*\/id must match format/);
  });

  it('of the presences costs the voice of that mobile', async () => {
    oddFourth('getPresence', (mobileId) => ({ mobileId, online: true, talkGroup: null }), { online: 'yes' });
    const reply = await ask('{ mobiles(first: 5) { edges { node { id voice { online } } } } }');
    expect(reply.errors).toBeUndefined();
    const { edges } = reply.data?.['mobiles'] as Edges<{ voice: { online: boolean } | null }>;
    expect(edges.map(({ node }) => node?.voice?.online)).toEqual([true, true, true, undefined, true]);
  });

  it('of the addresses costs that address', async () => {
    const body = { addresses: ['one', 2, null] };
    gateway.sandbox.faults.set({ operation: 'reverseGeocode', fault: { kind: 'status', status: 200, body } });
    const items = [1, 2, 3].map((id) => ({ ...mobile(id), position: { ...position, lat: id } }));
    gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'status', status: 200, body: { items } } });
    const reply = await ask('{ mobiles { edges { node { position { address } } } } }');
    expect(reply.errors).toBeUndefined();
    const { edges } = reply.data?.['mobiles'] as Edges<{ position: { address: string | null } }>;
    expect(edges.map(({ node }) => node?.position.address)).toEqual(['one', null, null]);
  });
});
