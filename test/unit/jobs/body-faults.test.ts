import { describe, expect, it } from '@jest/globals';
import { findJsonFault } from '../../../src/jobs/body-faults.js';

function nested(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
}

describe('findJsonFault', () => {
  it.each([
    [null],
    ['text'],
    ['😀'],
    [0.1],
    [9007199254740991],
    [-9007199254740991],
    [[{ any: [1, 'two', null, true] }]],
    [nested(64)],
  ])('finds nothing in %j', (value) => {
    expect(findJsonFault(value)).toBeUndefined();
  });

  it.each([
    ['[1e400]', '/0'],
    ['{"a":[{"b":-1e400}]}', '/a/0/b'],
    ['{"a/b":{"c~d":1e400}}', '/a~1b/c~0d'],
    ['1e400', ''],
  ])('finds the number in %s that no double can hold', (json, path) => {
    expect(findJsonFault(JSON.parse(json))).toEqual({ path, message: 'must be a smaller number' });
  });

  it.each([
    ['9007199254740992', ''],
    ['[{"id":9007199254740993}]', '/0/id'],
    ['{"indivs":[{"deep":[-9007199254740993]}]}', '/indivs/0/deep/0'],
    ['[1e300]', '/0'],
  ])('finds the integer in %s that may not be what its sender wrote', (json, path) => {
    expect(findJsonFault(JSON.parse(json))).toEqual({
      path,
      message: 'must be from -9007199254740991 to 9007199254740991; numbers beyond are not exact',
    });
  });

  it.each([
    ['"\\ud800"', ''],
    ['{"a":["x\\udc00y"]}', '/a/0'],
    ['["\\udc00\\ud800"]', '/0'],
  ])('finds the text in %s that has half of a surrogate pair', (json, path) => {
    expect(findJsonFault(JSON.parse(json))).toEqual({
      path,
      message: 'must be well-formed Unicode text, without half of a surrogate pair',
    });
  });

  it('finds such text in names, too, and does not repeat it', () => {
    expect(findJsonFault(JSON.parse('{"a":{"\\ud800":1}}'))).toEqual({
      path: '/a/\ufffd',
      message: 'as a name must be well-formed Unicode text, without half of a surrogate pair',
    });
  });

  it.each([[65], [100_000]])('finds nesting of %i levels without nesting itself as deep', (levels) => {
    expect(findJsonFault(nested(levels))).toEqual({
      path: '/0'.repeat(64),
      message: 'must not be nested deeper than 64 levels',
    });
  });
});
