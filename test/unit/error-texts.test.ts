import { expect, it } from '@jest/globals';
import { describeError } from '../../src/errors.js';

it('an error is described by its text, also when it has none or is made of others', () => {
  expect(describeError(new Error('no route'))).toBe('no route');
  expect(describeError(new AggregateError([new Error('refused at ::1'), new Error('refused')]))).toBe('refused at ::1');
  expect(describeError(new AggregateError([], 'all failed'))).toBe('all failed');
  expect(describeError(new AggregateError([]))).toBe('AggregateError');
  expect(describeError(new TypeError())).toBe('TypeError');
  expect(describeError('a text')).toBe('a text');
});
