import { describe, expect, it } from '@jest/globals';
import { findJsonFault } from '../../../src/jobs/body-faults.js';

function nested(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
}

describe('findJsonFault', () => {
  it.each([[null], ['text'], [1.5e308], [[{ any: [1, 'two', null, true] }]], [nested(64)]])(
    'finds nothing in %j',
    (value) => {
      expect(findJsonFault(value)).toBeUndefined();
    },
  );

  it.each([
    ['[1e400]', '/0'],
    ['{"a":[{"b":-1e400}]}', '/a/0/b'],
    ['{"a/b":{"c~d":1e400}}', '/a~1b/c~0d'],
    ['1e400', ''],
  ])('finds the number in %s that no double can hold', (json, path) => {
    expect(findJsonFault(JSON.parse(json))).toEqual({ path, message: 'must be a smaller number' });
  });

  it.each([[65], [100_000]])('finds nesting of %i levels without nesting itself as deep', (levels) => {
    expect(findJsonFault(nested(levels))).toEqual({
      path: '/0'.repeat(64),
      message: 'must not be nested deeper than 64 levels',
    });
  });
});
