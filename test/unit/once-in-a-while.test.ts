import { expect, it } from '@jest/globals';
import { OnceInAWhile } from '../../src/base/once-in-a-while.js';

it('A subject is due once in its time, and others do not delay it', () => {
  let at = 0;
  const limit = new OnceInAWhile({ everyMs: 1_000, now: () => at });
  const dueAt = (time: number, subject?: string): boolean => {
    at = time;
    return limit.isDue(subject);
  };
  expect([dueAt(0, 'one'), dueAt(400, 'other'), dueAt(999, 'one'), dueAt(1_000, 'one')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  // A subject that was not due is not delayed by that.
  expect([dueAt(1_400, 'other'), dueAt(1_999, 'one'), dueAt(2_000, 'one')]).toEqual([true, false, true]);
  expect([dueAt(2_000), dueAt(2_001)]).toEqual([true, false]);
});

it('No more than so many subjects are due in that time', () => {
  let at = 0;
  const limit = new OnceInAWhile({ everyMs: 1_000, max: 3, now: () => at });
  const dueOf = (count: number): number =>
    Array.from({ length: count }, (_, number) => limit.isDue(`${at} ${number}`)).filter(Boolean).length;
  expect(dueOf(2)).toBe(2);
  at = 500;
  expect(dueOf(50)).toBe(1);
  at = 1_000;
  expect(dueOf(50)).toBe(2);
  at = 10_000;
  expect(dueOf(50)).toBe(3);
});
