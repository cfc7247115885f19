/** However many entries a body has, they are counted before anything is done with them, and once for each request. */
import { describe, expect, it } from '@jest/globals';
import type { ValidateFunction } from 'ajv';
import { getOperationAST, parse } from 'graphql';
import { BulkMobileRequest, BulkUserAccountRequest, DrivingReportRequest } from '../../generated/validators/gateway.js';
import { createExecute, type ExecutionContext } from '../../src/gateway/graphql/execution/compiled-execution.js';
import { findVariableFaults } from '../../src/gateway/graphql/execution/variable-faults.js';
import type { Services } from '../../src/gateway/graphql/context.js';
import { OperationLog } from '../../src/gateway/graphql/operation-log.js';
import { createGatewaySchema } from '../../src/gateway/graphql/schema.js';
import { validationFaults } from '../../src/jobs/body-faults.js';
import { JOBS, unservedSchema } from '../support/job-table.js';

const LIMITS = { bulkMaxItems: 1_000, reportMaxDrivers: 10_000 };
const MILLION = 1_000_000;
const ROOMY = { bulkMaxItems: MILLION, reportMaxDrivers: MILLION };

/** So many aliases of a mutation, all with the same variable. */
function aliases(count: number, selections = 'jobId'): string {
  const field = (_: unknown, at: number): string => `a${at}: startBulkUpdateMobile(items: $v) { ${selections} }`;
  return `mutation ($v: [MobileUpdateInput!]!) { ${Array.from({ length: count }, field).join(' ')} }`;
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

const schema = unservedSchema();

/** The error of a variable of this type, which stands for the argument `a`. */
function errorOf(type: string, value: unknown): ReturnType<typeof findVariableFaults> {
  return errorIn(`query ($v: ${type}) { __typename(a: $v) }`, value, LIMITS);
}

function errorIn(query: string, v: unknown, limits: typeof LIMITS): ReturnType<typeof findVariableFaults> {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('There is an operation.');
  return findVariableFaults({ schema, document, operation, values: { v } }, limits);
}

describe('a list of a variable that is too long for anything', () => {
  it.each([
    ['[MobileUpdateInput!]!', unread(10_001), [], 'Too many entries in a: 10001. The limit is 1000.'],
    [
      'DrivingReportsInput!',
      { date: 'x', drivers: unread(MILLION) },
      ['drivers'],
      'Too many items: 1000000 in a.drivers. The limit is 10000 (REPORT_MAX_DRIVERS).',
    ],
    [
      '[MobileUpdateInput!]!',
      [{ id: 1 }, { id: 1, tagIds: unread(MILLION) }],
      [1, 'tagIds'],
      'Too many entries in a[1].tagIds: 1000000. The limit is 1000.',
    ],
    ['[Int!]', unread(MILLION), [], 'Too many entries in a: 1000000. The limit is 1000.'],
    ['[JSON]', unread(MILLION), [], 'Too many entries in a: 1000000. The limit is 1000.'],
    ['[[Int]]', [[1], unread(10_001)], [1], 'Too many entries in a[1]: 10001. The limit is 1000.'],
  ])('of type %s is refused without a look at its entries', (type, value, place, message) => {
    const [, max] = /The limit is (\d+)/.exec(message) ?? [];
    expect(errorOf(type, value)).toMatchObject({
      message,
      originalError: {
        reason: message.startsWith('Too many items') ? 'TooManyItems' : 'TooManyEntries',
        fields: [{ path: ['a', ...place], message: `must be a list of at most ${max} entries` }],
      },
    });
  });

  it.each([
    ['[Int!]', Array(10_000).fill(1)],
    ['Int', 5],
    ['[MobileUpdateInput!]!', { id: 1 }],
    ['[MobileUpdateInput!]', null],
    ['JSON', Array(20_000).fill(1)],
    ['Nothing', []],
  ])('is none: %s', (type, value) => expect(errorOf(type, value)).toBeUndefined());

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

describe('a body with a million faults', () => {
  /** Five megabytes of items, each of them wrong, that count how many are looked at. */
  function wrongItems(looked: Set<string>): unknown[] {
    return new Proxy(
      Array.from({ length: MILLION }, () => ({ id: true })),
      {
        get(list, name) {
          if (typeof name === 'string' && name !== 'length') looked.add(name);
          return Reflect.get(list, name) as unknown; // an entry, or a method of arrays
        },
      },
    );
  }

  it.each<[string, ValidateFunction, (list: unknown[]) => unknown]>([
    ['mobiles', BulkMobileRequest, (list) => list],
    ['accounts', BulkUserAccountRequest, (list) => list],
    ['drivers', DrivingReportRequest, (list) => ({ date: '2026-11-20T00:00:00Z', drivers: list })],
    ['tags of a mobile', BulkMobileRequest, (list) => [{ id: 1, tagIds: list }]],
  ])('of a callback is looked through up to the tenth: %s', (_what, validate, bodyOf) => {
    const looked = new Set<string>();
    expect(validate(bodyOf(wrongItems(looked)))).toBe(false);
    const faults = validationFaults(validate);
    expect(faults).toHaveLength(10);
    expect(looked.size).toBeLessThanOrEqual(10);
  });

  it('of GraphQL is looked through up to the tenth', () => {
    const looked = new Set<string>();
    expect(errorIn(aliases(1), wrongItems(looked), ROOMY)?.originalError).toMatchObject({ fields: { length: 10 } });
    expect(looked.size).toBe(10);
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
    const accept = (): object => {
      looks += 1;
      return { kind: 'work', work: { total: outcome === 'refused' ? 0 : 1 } };
    };
    const services = {
      jobs: { ...JOBS, mobiles: { ...JOBS.mobiles, accept } },
      jobStarter: {
        start: () => ({ job: { jobId: 'x', createdAt: 0, state: 'pending', cancelled: false }, isNew: true }),
      },
    } as unknown as Services; // what starting a job touches
    const schema = createGatewaySchema(services);
    const contextValue = {
      bodyBytes,
      operationLog: new OperationLog(),
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
