/** Bounds on what one operation may ask for, and for how long. Each error names its limit. */
import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { VARIABLES, type VariableName } from '../../src/base/config/variables.js';
import { readTypeDefs } from '../../src/gateway/graphql/schema.js';
import { JOB_KINDS } from '../../src/jobs/record/job-kinds.js';
import { startTestGateway, type GraphQLReply } from '../support/gateway.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { forAllTests } from '../support/resources.js';

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Starts a job of nothing, which is refused by itself, so that nothing goes on behind it. */
const START = 'startBulkUpdateMobile(items: []) { jobId }';
const OF_NOTHING = 'The list is empty: a job needs at least one entry.';

/** A limit: its variable, what it is called in its error, and an operation that has so much of it. */
interface Limit {
  readonly variable: VariableName;
  readonly called: string;
  readonly operation: (count: number) => string;
}

const FOUR_STARTS = 'Too many job starts: 4. The limit is 3 (GRAPHQL_MAX_JOB_STARTS).';

/** The error of an operation that has more than it may. */
function messageOf(called: string, limit: number, variable: VariableName): RegExp {
  return new RegExp(`^Too many ${called}: (over )?\\d+\\. The limit is ${limit} \\(${variable}\\)\\.$`);
}

const LIMITS: readonly Limit[] = [
  {
    variable: 'GRAPHQL_MAX_DEPTH',
    called: 'levels of fields',
    operation: (levels) =>
      `{ __type(name: "Query") ${'{ ofType '.repeat(levels - 2)}{ name }${' }'.repeat(levels - 2)} }`,
  },
  {
    variable: 'GRAPHQL_MAX_ALIASES',
    called: 'aliases',
    operation: (count) => `{ me { ${times(count, (index) => `a${index}: Org`)} } }`,
  },
  {
    variable: 'GRAPHQL_MAX_ROOT_FIELDS',
    called: 'root fields',
    operation: (count) =>
      `{ ${['me { Org }', 'tags { id }', '__typename', ...times(count, (at) => `a${at}:serviceVersion`).split(' ')]
        .slice(0, count)
        .join(' ')} }`,
  },
  {
    variable: 'GRAPHQL_MAX_DIRECTIVES',
    called: 'directives',
    operation: (count) => `query (${times(count, (at) => `$b${at}: Boolean = true`)}) {
      ${times(count, (at) => `serviceVersion @include(if: $b${at})`)} }`,
  },
  {
    variable: 'GRAPHQL_MAX_JOB_STARTS',
    called: 'job starts',
    operation: (count) => `mutation { ${times(count, (index) => `a${index}: ${START}`)} }`,
  },
  {
    variable: 'GRAPHQL_MAX_REPEATS',
    called: 'fields of one name where one is enough',
    operation: (count) =>
      `{ me { ...F ${times(count - 2, () => 'Org')} } } fragment F on AuthUser { Org ... on AuthUser { Org } }`,
  },
  {
    variable: 'GRAPHQL_MAX_TOKENS',
    called: 'tokens',
    operation: (count) =>
      `{ serviceVersion mobiles(tagIds: [${times(count - 26, () => '1')}]) @skip(if: true) { edges { node { id } } } }`,
  },
];

describe('an operation', () => {
  const gateway = forAllTests(startTestGateway);
  const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));

  /** The one error of an operation for which nothing may be fetched, not even a key. */
  async function refusal(query: string): Promise<string | undefined> {
    gateway.sandbox.journal.clear();
    const { data, errors } = await gateway.graphql(query, {}, user.bearer);
    expect(data).toBeUndefined();
    expect(gateway.sandbox.journal.requests()).toEqual([]);
    expect(errors?.[0]?.extensions).toEqual({
      code: 'BadInput',
      reason: expect.stringMatching(/^TooMany/),
      values: expect.objectContaining({ limit: expect.any(Number) }),
      status: 400,
      path: [],
    });
    expect(errors).toHaveLength(1);
    return errors?.[0]?.message;
  }

  async function accepted(query: string): Promise<GraphQLReply> {
    const reply = await gateway.graphql(query, {}, user.bearer);
    expect(reply.data).toBeDefined();
    expect(reply.errors?.filter(({ message }) => message !== OF_NOTHING) ?? []).toEqual([]);
    return reply;
  }

  it.each(LIMITS)('may reach $variable and no more', async ({ variable, called, operation }) => {
    const limit = Number(VARIABLES[variable].development.replaceAll('`', ''));
    await accepted(operation(limit));
    expect(await refusal(operation(limit + 1))).toMatch(messageOf(called, limit, variable));
  });

  const aliases = (count: number, part: string): string => times(count, (index) => `a${index}: ${part}`);
  const report = 'startDrivingReports(input: { date: "2024-05-17T00:00:00Z", drivers: [] }) { jobId }';
  it.each([
    [
      'its depth in fragments',
      `{ __type(name: "Query") { ...F0 } } fragment F12 on __Type { name }
       ${times(12, (index) => `fragment F${index} on __Type { ofType { ...F${index + 1} } }`)}`,
      'Too many levels of fields: 14. The limit is 10 (GRAPHQL_MAX_DEPTH).',
    ],
    [
      'aliases in fragments',
      `{ a: me { ...F } b: me { ...F } } fragment F on AuthUser { ${aliases(7, 'Org')} }`,
      'Too many aliases: 16. The limit is 15 (GRAPHQL_MAX_ALIASES).',
    ],
    [
      'root fields in fragments',
      `{ ...A ... on Query { ${aliases(5, 'serviceVersion')} } c: serviceVersion } fragment A on Query { ...B }
       fragment B on Query { ${times(5, (index) => `b${index}: serviceVersion`)} }`,
      'Too many root fields: 11. The limit is 10 (GRAPHQL_MAX_ROOT_FIELDS).',
    ],
    ['one job among others', `mutation { ${aliases(3, START)} ${report} }`, FOUR_STARTS],
    [
      'jobs in fragments',
      `mutation { ...A ... on Mutation { b: ${START} c: ${START} } d: ${START} } fragment A on Mutation { ...B }
       fragment B on Mutation { a: ${START} }`,
      FOUR_STARTS,
    ],
    ['jobs behind directives', `mutation { ${aliases(4, START.replace(' {', ' @skip(if: true) {'))} }`, FOUR_STARTS],
  ])('cannot hide %s', async (_what, query, message) => expect(await refusal(query)).toBe(message));

  it('finds its job starts in the schema, where every field that starts one says so', () => {
    const mutations = buildSchema(readTypeDefs().join('\n')).getMutationType()?.getFields() ?? {};
    const starts = Object.values(mutations).filter(({ name }) => name.startsWith('start'));
    const marked = Object.values(mutations).filter(({ astNode }) =>
      astNode?.directives?.some(({ name }) => name.value === 'startsJob'),
    );
    expect(starts.map(({ name }) => name)).toHaveLength(JOB_KINDS.length);
    expect(marked).toEqual(starts);
  });

  it('is answered at once however its fragments multiply, and however often it comes', async () => {
    const doubling = times(60, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    for (let time = 1; time <= 8; time += 1) {
      const { data } = await accepted(`{ ...F0 } ${doubling} fragment F60 on Query { serviceVersion }`);
      expect(data).toEqual({ serviceVersion: '0.0.0-test' });
    }
  });

  it.each([
    ['directives', 'the same @skip(if: $no) name @include(if: $yes)', 'directives: 51'],
    ['aliases', 'same: kind', 'aliases: 16'],
  ])('is refused at once when its %s multiply with its fragments', async (_what, part, found) => {
    const fields = ['ofType', 'interfaces', 'possibleTypes'];
    const doubling = times(
      8,
      (i) => `fragment F${i} on __Type { ${times(3, (at) => `${fields[at]} { ...F${i + 1} }`)} }`,
    );
    const query = `query ($no: Boolean = false, $yes: Boolean = true) { __type(name: "Query") { ...F0 } } ${doubling}
      fragment F8 on __Type { ${part.replace('the same', 'kind')} }`;
    expect(await refusal(query)).toContain(`Too many ${found}. `);
  });

  it.each(['POST', 'chunked POST'] as const)(
    'by %s may have a thousand variables and no more, whatever is in them',
    async (handler) => {
      const tricky = ['"', '\\"', '\\', '{"a":1}', '[:', ':'].map((text, index) => [`t${index}`, text] as const);
      const asked = (count: number) => ({
        query: '{ serviceVersion }',
        variables: {
          // Members further inside are no variables.
          long: Array.from({ length: 5_000 }, () => ({ a: 1 })),
          ...Object.fromEntries<unknown>([
            ...tricky,
            ...Array.from({ length: count }, (_, at) => [`v${at}`, at] as const),
          ]),
        },
      });
      const most = 1_000 - ['query', 'variables', 'long', ...tricky].length;
      expect(await HANDLERS[handler](gateway.url, asked(most))).toMatchObject({ status: 200 });
      const { status, text } = await HANDLERS[handler](gateway.url, asked(most + 1));
      expect(status).toBe(400);
      expect(text).toContain('The body and its variables have more than 1000 members.');
    },
  );

  it('counts once what merges: root fields, starts, aliases, directives, and each `__typename` of its own', async () => {
    const fragments = times(
      16,
      (i) => `fragment Q${i} on Query { me { user: BackendUser @include(if: true) }
      vehicles: mobiles { edges { node { label: name t${i}: __typename } } } }`,
    );
    const { data: page } = await accepted(`{ ${times(16, (i) => `...Q${i}`)} } ${fragments}`);
    expect(page).toMatchObject({ vehicles: { edges: { 0: { node: { t0: 'Mobile', t15: 'Mobile' } } } } });
    const starts = times(4, (i) => `fragment M${i} on Mutation { a: ${START} }`);
    const { data } = await accepted(`mutation { ${times(4, (i) => `...M${i}`)} } ${starts}`);
    expect(data).toEqual({ a: null });
  });
});
