/** However many entries a body has, they are counted before anything is done with them, and once for each request. */
import { describe, expect, it } from '@jest/globals';
import { getOperationAST, parse } from 'graphql';
import { createExecute, type ExecutionContext } from '../../src/graphql/execution/compiled-execution.js';
import type { Services } from '../../src/graphql/context.js';
import { findLongList } from '../../src/graphql/limits/operation-limits.js';
import { OperationNotes } from '../../src/graphql/operation-notes.js';
import { createGatewaySchema } from '../../src/graphql/schema.js';
import { badInput } from '../../src/errors.js';
import { JOBS, unservedSchema } from '../support/job-table.js';

const LIMITS = { bulkItems: 1_000, reportDrivers: 10_000 };
const BOUND = 'No list may have more than 10000 (BULK_MAX_ITEMS, REPORT_MAX_DRIVERS).';
const MILLION = 1_000_000;

/** So many aliases of a mutation, all with the same variable. */
function aliases(count: number, selections = 'jobId'): string {
  const fields = Array.from(
    { length: count },
    (_, index) => `a${index}: startBulkUpdateMobile(items: $v) { ${selections} }`,
  );
  return `mutation ($v: [MobileUpdateInput!]!) { ${fields.join(' ')} }`;
}

/** A list that fails when an entry is asked for. */
function unread(length: number): unknown[] {
  return new Proxy(new Array<unknown>(length), {
    get(list, name) {
      if (name === 'length') return list.length;
      throw new Error(`Somebody asked for ${String(name)}.`);
    },
  });
}

describe('a list of a variable that is too long for anything', () => {
  const schema = unservedSchema();

  it.each([
    ['[MobileUpdateInput!]!', unread(10_001), 10_001, 'v'],
    ['[UserAccountOperationInput!]!', unread(MILLION), MILLION, 'v'],
    ['DrivingReportsInput!', { date: 'x', drivers: unread(MILLION) }, MILLION, 'v.drivers'],
    ['[MobileUpdateInput!]!', [{ id: 1 }, { id: 1, tagIds: unread(MILLION) }], MILLION, 'v[1].tagIds'],
    ['[Int!]', unread(MILLION), MILLION, 'v'],
    ['[JSON]', unread(MILLION), MILLION, 'v'],
  ])('of type %s is refused without a look at its entries', (type, value, length, place) => {
    const operation = getOperationAST(parse(`query ($v: ${type}) { __typename }`));
    if (!operation) throw new Error('There is an operation.');
    const message = `Variable "$v" has a list of ${length} entries at "${place}". ${BOUND}`;
    expect(findLongList(schema, operation, { v: value }, LIMITS)).toBe(message);
  });

  it.each([
    ['[Int!]', unread(10_000)],
    ['Int', 5],
    ['[MobileUpdateInput!]!', { id: 1 }],
    ['[MobileUpdateInput!]!', null],
    ['JSON', unread(MILLION)],
    ['Nothing', []],
  ])('is none: %s', (type, value) => {
    const operation = getOperationAST(parse(`query ($v: ${type}) { __typename }`));
    if (!operation) throw new Error('There is an operation.');
    expect(findLongList(schema, operation, { v: value }, LIMITS)).toBeUndefined();
  });

  it.each([true, false])(
    'ends its operation before anything of it is coerced or run, compiled: %s',
    async (compiled) => {
      const execute = createExecute(schema, LIMITS);
      const contextValue: ExecutionContext = { bodyBytes: compiled ? 1_000_000 : 100 };
      const args = { schema, document: parse(aliases(10)), variableValues: { v: unread(MILLION) }, contextValue };
      expect(await execute(args)).toEqual({
        errors: [expect.objectContaining({ message: expect.stringMatching(/1000000/) })],
      });
    },
  );
});

describe('variables of a large body with many faults', () => {
  it.each([1, 60])('are named as graphql-js names them, with so many selections: %i', async (count) => {
    const schema = unservedSchema();
    const contextValue: ExecutionContext = { bodyBytes: 1_000_000 };
    const variableValues = { v: [{ id: 1 }, { id: 'x', tagIds: ['y'] }, { id: 'z' }] };
    const document = parse(aliases(1, 'jobId '.repeat(count)));
    const { data, errors } = await createExecute(schema, LIMITS)({ schema, document, variableValues, contextValue });
    expect(data).toBeUndefined();
    expect(errors?.map(({ message }) => message)).toEqual([
      'Variable "$v" got invalid value "x" at "v[1].id"; Int cannot represent non-integer value: "x"',
      'Variable "$v" got invalid value "y" at "v[1].tagIds[0]"; Int cannot represent non-integer value: "y"',
      'Variable "$v" got invalid value "z" at "v[2].id"; Int cannot represent non-integer value: "z"',
    ]);
  });
});

describe('a list that is passed to several fields', () => {
  it.each([
    ['interpreted', 'refused', 100],
    ['compiled', 'refused', 100_000],
    ['large and not compiled', 'refused', 100_000],
    ['interpreted', 'accepted', 100],
    ['compiled', 'accepted', 100_000],
    ['large and not compiled', 'accepted', 100_000],
  ])('is looked through once: %s, %s', async (how, outcome, bodyBytes) => {
    let looks = 0;
    const services = {
      jobs: JOBS,
      jobStarter: {
        accept: (_job: unknown, body: unknown) => {
          looks += 1;
          if (outcome === 'refused') throw badInput('no');
          return { body };
        },
        start: () => ({ jobId: 'x', createdAt: 0 }),
      },
    } as unknown as Services; // what starting a job touches
    const schema = createGatewaySchema(services);
    const contextValue = {
      bodyBytes,
      notes: new OperationNotes(),
      auth_user: { Org: 'acme' },
      loaders: { user: { lookupMobiles: () => ['1'] } },
    };
    const selections = how.includes('not compiled') ? 'jobId '.repeat(10) : 'jobId';
    const document = parse(aliases(10, selections));
    const args = { schema, document, variableValues: { v: [{ id: 1 }] }, contextValue };
    const { data } = await createExecute(schema, LIMITS)(args);
    const one = outcome === 'refused' ? null : { jobId: 'x' };
    expect(Object.values(data ?? {})).toEqual(Array.from({ length: 10 }, () => one));
    expect(looks).toBe(1);
  });
});
