import { describe, expect, it } from '@jest/globals';
import { forAllTests, gatewayForAllTests } from '../support/resources.js';

const FIFTY = `{
  mobiles(first: 50) {
    edges { node { id tags { name } position { address } voice { online talkGroup } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface MobilesResult {
  readonly edges: readonly {
    readonly cursor: string | null;
    readonly node: {
      readonly id: string;
      readonly tags: readonly { readonly name: string }[] | null;
      readonly position: { readonly address: string | null } | null;
      readonly voice: { readonly online: boolean } | null;
    };
  }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number | null;
}

const gateway = gatewayForAllTests();
const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));

async function fifty(): Promise<{ mobiles: MobilesResult; codes: string[]; paths: unknown[] }> {
  const { data, errors = [] } = await gateway.graphql(FIFTY, {}, user.bearer);
  return {
    mobiles: data?.['mobiles'] as MobilesResult,
    codes: errors.map(({ extensions }) => extensions.code),
    paths: errors.map(({ path }) => path),
  };
}

describe('a list of 50 mobiles', () => {
  it('costs one call each to list, geocode, presence and tags', async () => {
    const { mobiles, codes } = await fifty();
    expect(codes).toEqual([]);
    expect(mobiles.edges).toHaveLength(50);
    expect(mobiles.edges.filter(({ node }) => node.position?.address).length).toBeGreaterThan(40);
    expect(mobiles.edges.filter(({ node }) => node.voice?.online).length).toBeGreaterThan(5);
    const operations = gateway.sandbox.journal
      .requests()
      .map(({ operation }) => operation)
      .sort();
    expect(operations).toEqual(['getPresence', 'getPublicKeys', 'listMobiles', 'listTags', 'reverseGeocode']);
  });

  it('never shows a user token or our key for backend-api to geo-api and voip-api', async () => {
    await fifty();
    const others = gateway.sandbox.journal.requests().filter(({ backend }) => backend !== 'backend-api');
    expect(others).toHaveLength(2);
    for (const { authorization, apiKey } of others) expect([authorization, apiKey]).toEqual([false, 'absent']);
  });
});

describe('paging', () => {
  it('walks through every mobile once', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    let isFirst = true;
    do {
      const { data } = await gateway.graphql(
        `query($after: String) { mobiles(first: 200, after: $after) {
          edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`,
        { after },
        user.bearer,
      );
      const { edges, pageInfo, totalCount } = data?.['mobiles'] as MobilesResult;
      seen.push(...edges.map(({ node }) => node.id));
      after = pageInfo.endCursor;
      expect(pageInfo.hasNextPage).toBe(after !== null);
      expect([pageInfo.hasPreviousPage, totalCount]).toEqual([!isFirst, 300]);
      // backend-api tells the cursor of the last entry alone.
      expect(edges.map(({ cursor }) => cursor).at(-1)).toBe(after);
      expect(pageInfo.startCursor).toBeNull();
      isFirst = false;
    } while (after !== null);
    expect(seen).toHaveLength(300);
    expect(new Set(seen).size).toBe(300);
  });
});

describe.each(['mobiles', 'userAccounts', 'jobs'])('the connection %s', (field) => {
  const page = (after: string): string =>
    `query($after: String = ${after}) { ${field}(first: 1, after: $after) { pageInfo { hasNextPage endCursor } } }`;

  it('refuses an empty cursor, which is the end of no page, without asking a backend', async () => {
    gateway.sandbox.journal.clear();
    const { data, errors } = await gateway.graphql(page('""'), {}, user.bearer);
    expect(data).toEqual({ [field]: null });
    expect(errors).toMatchObject([
      { message: 'The input cannot be used: after must be an endCursor.', extensions: { code: 'BadInput' } },
    ]);
    expect(gateway.sandbox.journal.requests().map(({ operation }) => operation)).toEqual(['getPublicKeys']);
  });

  it('begins anew without a cursor', async () => {
    const { data, errors } = await gateway.graphql(page('null'), {}, user.bearer);
    expect([data?.[field], errors]).toEqual([{ pageInfo: expect.any(Object) }, undefined]);
  });
});

it.each([
  ['mobiles', 'listMobiles'],
  ['userAccounts', 'listUserAccounts'],
])('an empty cursor of a backend is the end of %s', async (field, operation) => {
  gateway.sandbox.faults.set({
    operation,
    fault: { kind: 'status', status: 200, body: { items: [], nextCursor: '' } },
  });
  const query = `{ ${field} { edges { __typename } pageInfo { hasNextPage endCursor } totalCount } }`;
  const { data } = await gateway.graphql(query, {}, user.bearer);
  expect(data).toEqual({ [field]: { edges: [], pageInfo: { hasNextPage: false, endCursor: null }, totalCount: null } });
});

it.each([
  ['mobiles', 'listMobiles'],
  ['userAccounts', 'listUserAccounts'],
])('a page of %s that is longer than was asked for fails as a whole', async (field, operation) => {
  gateway.sandbox.faults.set({
    operation,
    fault: { kind: 'status', status: 200, body: { items: Array(32_000).fill({}) } },
  });
  const { data, errors } = await gateway.graphql(`{ ${field}(first: 2) { edges { node { id } } } }`, {}, user.bearer);
  expect([data, errors?.map(({ path, extensions }) => [path, extensions.reason])]).toEqual([
    { [field]: null },
    [[[field], 'BackendUnavailable']],
  ]);
});

it('a page with many odd records has an error for each of a few, and then the number of all', async () => {
  const items = Array(200).fill({});
  gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'status', status: 200, body: { items } } });
  const { data, errors = [] } = await gateway.graphql(
    '{ mobiles(first: 200) { edges { node { id } } } }',
    {},
    user.bearer,
  );
  expect(data).toEqual({ mobiles: { edges: Array(200).fill({ node: null }) } });
  expect(errors.map(({ path }) => path)).toEqual(
    Array.from({ length: 21 }, (_, index) => ['mobiles', 'edges', index, 'node']),
  );
  expect(errors.slice(0, 20).every(({ extensions }) => extensions.reason === 'BackendUnavailable')).toBe(true);
  expect(errors[20]).toMatchObject({
    message: 'This page has 200 entries that cannot be read. Try again later.',
    extensions: { code: 'ServiceUnavailable', reason: 'OddRecords' },
  });
});

describe('a login that backend-api answers', () => {
  const LOGIN =
    'mutation { userLogin(loginId: "demo", password: "p") { otpRequired challenge session { expiresIn } } }';
  const SESSION = { accessToken: 'a', refreshToken: 'r', expiresIn: 60 };

  it.each<[string, object]>([
    ['neither with a session nor with a demand for a one-time password', { otpRequired: false }],
    ['with a challenge where a session is due', { otpRequired: false, challenge: 'c' }],
    ['with a session that is null', { otpRequired: false, session: null }],
    ['with a session without tokens', { otpRequired: false, session: { expiresIn: 60 } }],
    ['without saying whether a one-time password is needed', { session: SESSION }],
  ])('%s is ServiceUnavailable', async (_fault, body) => {
    gateway.sandbox.faults.set({ operation: 'login', fault: { kind: 'status', status: 200, body } });
    const { data, errors } = await gateway.graphql(LOGIN);
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([
      { userLogin: null },
      ['ServiceUnavailable'],
    ]);
  });
});

describe('searching', () => {
  it('passes search and tags on', async () => {
    const { data } = await gateway.graphql(
      '{ mobiles(search: "M-0012", tagIds: []) { edges { node { id num } } } tags { id name } }',
      {},
      user.bearer,
    );
    expect(data).toMatchObject({ mobiles: { edges: [{ node: { id: '12', num: 'M-0012' } }] } });
    expect((data?.['tags'] as unknown[]).length).toBeGreaterThanOrEqual(8);
    await gateway.graphql('{ mobiles(tagIds: [1, 2]) { edges { node { id tags { id } } } } }', {}, user.bearer);
    expect(gateway.sandbox.journal.requests({ operation: 'listMobiles' }).at(-1)?.query).toMatchObject({
      tagIds: [1, 2],
    });
  });
});

it('an unknown mobile is NotFound, in the words of backend-api', async () => {
  const { data, errors } = await gateway.graphql('{ mobile(id: 424242) { id } }', {}, user.bearer);
  expect(data).toEqual({ mobile: null });
  expect(errors?.[0]?.extensions).toEqual({
    code: 'NotFound',
    reason: 'UnknownToBackend',
    values: { backendText: 'Mobile not found.' },
    status: 404,
    path: ['mobile'],
  });
});
