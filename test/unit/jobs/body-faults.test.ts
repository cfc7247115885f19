import { describe, expect, it } from '@jest/globals';
import type { ValidateFunction } from 'ajv';
import { faultOf } from '../../../src/base/errors.js';
import { bodyFault, findJsonFaults, validationFaults, type BodyFault } from '../../../src/jobs/body-faults.js';

function nested(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
}

/** The first fault, as a callback tells it. */
function findJsonFault(value: unknown): BodyFault | undefined {
  return findJsonFaults(value).map(bodyFault)[0];
}

describe('faults of JSON', () => {
  it('are found up to the tenth, and nothing behind it is looked at', () => {
    const looked: number[] = [];
    const list = new Proxy(
      Array.from({ length: 1_000_000 }, () => Infinity),
      {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) looked.push(Number(key));
          return Reflect.get(target, key) as unknown; // a number, or the length
        },
      },
    );
    expect(findJsonFaults({ a: { b: list } }).map(({ path }) => path)).toEqual(
      Array.from({ length: 10 }, (_, index) => ['a', 'b', index]),
    );
    expect(looked).toHaveLength(10);
  });

  it.each([
    ['😀'],
    [0.1],
    [9007199254740991],
    [[{ any: [1, 'two', null, true] }]],
    [{ given: undefined, also: [undefined] }],
    [nested(64)],
  ])('finds nothing in %j', (value) => expect(findJsonFault(value)).toBeUndefined());

  const exact = { min: -9007199254740991, max: 9007199254740991 };
  it.each([
    ['[1e400]', '/0', faultOf('NumberTooLarge')],
    ['{"a/b":{"c~d":[-1e400]}}', '/a~1b/c~0d/0', faultOf('NumberTooLarge')],
    // An integer that may not be what its sender wrote.
    ['9007199254740992', '', faultOf('NumberNotExact', exact)],
    ['{"indivs":[{"deep":[-9007199254740993]}]}', '/indivs/0/deep/0', faultOf('NumberNotExact', exact)],
    ['[1e300]', '/0', faultOf('NumberNotExact', exact)],
    // Half of a surrogate pair, which is not repeated.
    ['"\\ud800"', '', faultOf('TextIllFormed')],
    ['{"a":["x\\udc00y"]}', '/a/0', faultOf('TextIllFormed')],
    ['["\\udc00\\ud800"]', '/0', faultOf('TextIllFormed')],
    ['{"a":{"\\ud800":1}}', '/a/\ufffd', faultOf('NameIllFormed')],
  ])('finds the fault in %s at "%s"', (json, path, fault) => {
    expect(findJsonFault(JSON.parse(json))).toEqual({ path, ...fault });
  });

  it('finds nesting of objects as well', () => {
    let value: object = {};
    for (let level = 1; level < 65; level += 1) value = { a: value };
    expect(findJsonFault(value)).toMatchObject({ path: '/a'.repeat(64) });
  });

  it.each([[65], [100_000]])('finds nesting of %i levels without nesting itself as deep', (levels) => {
    expect(findJsonFault(nested(levels))).toEqual({ path: '/0'.repeat(64), ...faultOf('NestedTooDeep', { max: 64 }) });
  });
});

describe('what a validator finds', () => {
  type Errors = NonNullable<ValidateFunction['errors']>;
  const found = { instancePath: '/0/a', schemaPath: '', params: {}, message: 'must be string' };

  /** The faults of a validator that has found this. */
  function faultsOf(errors?: Errors): readonly BodyFault[] {
    return validationFaults({ errors } as unknown as ValidateFunction); // what is read of it
  }

  it.each<[string, Errors[number], BodyFault]>([
    [
      'that something is missing, at the place where it should be',
      { ...found, keyword: 'required', params: { missingProperty: 'id' }, parentSchema: { 'x-reason': 'NoSuchDate' } },
      { path: '/0/a/id', ...faultOf('Required') },
    ],
    [
      'by the row of the schema where it names one',
      { ...found, keyword: 'pattern', parentSchema: { 'x-reason': 'NoSuchDate' } },
      { path: '/0/a', ...faultOf('NoSuchDate') },
    ],
    [
      'with the bounds of the schema',
      { ...found, keyword: 'minLength', parentSchema: { 'x-reason': 'TextLength', minLength: 1, maxLength: 128 } },
      { path: '/0/a', ...faultOf('TextLength', { min: 1, max: 128 }) },
    ],
    [
      'by the type where the schema names no row',
      { ...found, keyword: 'type', parentSchema: { type: 'string', maxLength: 3 } },
      { path: '/0/a', ...faultOf('WrongType', { type: 'string' }) },
    ],
    [
      'without a reason where the row is none of faults',
      { ...found, keyword: 'pattern', parentSchema: { 'x-reason': 'UnknownJob' } },
      { path: '/0/a', ...faultOf('NotValid') },
    ],
    [
      'without a reason where nothing is known of the schema, or of what is missing',
      { ...found, keyword: 'required' },
      { path: '/0/a', ...faultOf('NotValid') },
    ],
    [
      'about a property, which is no missing one',
      { ...found, keyword: 'dependentRequired', params: { missingProperty: 'id' } },
      { path: '/0/a', ...faultOf('NotValid') },
    ],
  ])('is reported %s', (_how, error, fault) => expect(faultsOf([error])).toEqual([fault]));

  it('is reported once for each place, ten times at most, and not at all when there was none', () => {
    const error = { ...found, keyword: 'type' };
    expect(faultsOf([error, error])).toHaveLength(1);
    const many = Array.from({ length: 19 }, (_, index) => ({ ...error, instancePath: `/${index}` }));
    expect(faultsOf(many)).toHaveLength(10);
    expect(faultsOf()).toEqual([]);
  });
});
