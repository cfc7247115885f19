import { MOBILES, USER_ACCOUNTS } from '../../support/job-requests.js';
import type { Credentials } from './credentials.js';

/** A request with a large body. */
export interface LargeRequest {
  readonly title: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the reply contains. */
  readonly expected: string;
}

const UPDATE = 'mutation ($items: [MobileUpdateInput!]!) { job: startBulkUpdateMobile(items: $items) { jobId } }';
/** More selections than are compiled at once. */
const WIDE_UPDATE = UPDATE.replace('{ jobId }', `{ ${'jobId '.repeat(60)}}`);
const UPDATE_ACCOUNTS =
  'mutation ($items: [UserAccountOperationInput!]!) { job: startBulkOperationUserAccount(items: $items) { jobId } }';
const ORDER_REPORTS = 'mutation ($input: DrivingReportsInput!) { job: startDrivingReports(input: $input) { jobId } }';
const SMALL_ITEMS = 185_000;
const MILLION = 1_000_000;
const ALIASES = 3;

/** Bodies as large as they may be, most of which have more in them than they may. */
export function largeRequests({ authorization, callbackKey }: Credentials): LargeRequest[] {
  const json = { 'content-type': 'application/json' };
  const graphql = (
    title: string,
    query: string,
    variables: object,
    expected: string,
    beside: object = {},
  ): LargeRequest => ({
    title,
    path: '/graphql',
    headers: { ...json, authorization },
    body: JSON.stringify({ query, variables, ...beside }),
    expected,
  });
  const callback = (title: string, body: unknown, expected: string, path = MOBILES): LargeRequest => ({
    title,
    path,
    headers: { ...json, 'x-api-key': callbackKey, 'x-org-id': 'acme' },
    body: JSON.stringify(body),
    expected,
  });
  const aliased = Array.from(
    { length: ALIASES },
    (_, index) => `a${index}: startBulkUpdateMobile(items: $items) { jobId }`,
  );
  const smallItems = Array.from({ length: SMALL_ITEMS }, () => ({ id: 1 }));
  const inline = `[${'{id:1}'.repeat(SMALL_ITEMS + SMALL_ITEMS / 2)}]`;
  const million = Array.from({ length: MILLION }, () => 1);
  return [
    graphql('1.8 MB of tag ids in variables', UPDATE, { items: updates(225, 1_000) }, '"jobId"'),
    graphql('the same, and 60 selections', WIDE_UPDATE, { items: updates(225, 1_000) }, '"jobId"'),
    graphql(
      'the same, and a name that is not compiled',
      UPDATE.replace('job:', '__proto__:'),
      { items: updates(225, 1_000) },
      '"jobId"',
    ),
    graphql('the same, and a name beside the variables', UPDATE, { items: updates(225, 1_000) }, 'errors', { more: 1 }),
    graphql('1.8 MB within one entry of an account', UPDATE_ACCOUNTS, { items: account(numbers(260_000)) }, '"jobId"'),
    graphql('1.8 MB of names there', UPDATE_ACCOUNTS, { items: account(names(150_000)) }, '"jobId"'),
    graphql('1,000 changes of accounts', UPDATE_ACCOUNTS, { items: accounts(1_000, 200) }, '"jobId"'),
    graphql('10,000 drivers', ORDER_REPORTS, { input: reports(10_000) }, '"jobId"'),
    graphql(
      `1.7 MB of small items, ${ALIASES} aliases`,
      `mutation ($items: [MobileUpdateInput!]!) { ${aliased.join(' ')} }`,
      { items: smallItems },
      'BULK_MAX_ITEMS',
    ),
    graphql(
      '1.7 MB of small items in the document',
      `mutation { startBulkUpdateMobile(items: ${inline}) { jobId } }`,
      {},
      'more that 1000 tokens',
    ),
    graphql(
      'a million tag ids in a variable',
      'query ($tagIds: [Int!]) { mobiles(tagIds: $tagIds) { edges { node { id } } } }',
      { tagIds: million },
      'BULK_MAX_ITEMS',
    ),
    callback('a callback with a million items', million, 'BULK_MAX_ITEMS'),
    callback('a callback with a million tag ids', [{ id: 1, tagIds: million }], 'at most 1000 entries'),
    callback('a callback of 5 MB', updates(1_000, 600, 'n'.repeat(180)), '"Success"'),
    callback('a callback with 5 MB within one entry', account(numbers(650_000)), '"errors"', USER_ACCOUNTS),
    callback('a callback with 5 MB of names there', account(names(400_000)), '"errors"', USER_ACCOUNTS),
    callback('a callback with 5 MB of Japanese there', account('運'.repeat(1_600_000)), '"errors"', USER_ACCOUNTS),
  ];
}

/** A change of one account, with something in a place where anything may be. */
function account(anything: unknown): object[] {
  return [{ type: 1, userAccountInput: { loginId: 'demo', indivs: [anything] } }];
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => 100_000 + (index % 900_000));
}

/** An object with so many names, in no order. */
function names(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${(index * 7_919) % 1_000_003}`, 1]));
}

/** Changes of so many accounts, each with so many numbers. */
function accounts(count: number, individuals: number): object[] {
  const indivs = numbers(individuals);
  return Array.from({ length: count }, (_, index) => ({
    type: 1,
    userAccountInput: { loginId: `login-${index}`, name: 'n'.repeat(200), indivs },
  }));
}

function reports(drivers: number): object {
  return {
    date: '2026-11-20T00:00:00Z',
    drivers: Array.from({ length: drivers }, (_, index) => ({
      mobileId: String(index + 1),
      employeeCode: `employee-${index}-${'x'.repeat(60)}`,
      employeeName: 'Yamada '.repeat(5),
    })),
  };
}

/** Changes of so many mobiles, each with so many tags. */
function updates(mobiles: number, tags: number, name?: string): object[] {
  const tagIds = Array.from({ length: tags }, (_, tag) => 1_000_000 + tag);
  return Array.from({ length: mobiles }, (_, index) => ({
    id: index + 1,
    ...(name !== undefined && { name }),
    tagIds,
  }));
}
