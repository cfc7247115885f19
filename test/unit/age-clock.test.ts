import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AgeClock, type SeenTime } from '../../src/base/age-clock.js';
import { captureLog } from '../support/captured-log.js';
import { forEachTest } from '../support/resources.js';

const NOW = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEAP_MS = 400 * DAY_MS;

describe('The clock by which data get old', () => {
  const log = forEachTest(captureLog);
  let monotonicMs: number;
  beforeEach(() => {
    monotonicMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
  });
  afterEach(() => void jest.restoreAllMocks());
  const seen = (seenAt: number): SeenTime => ({ seenAt, aheadAt: 0, ranMs: 0 });

  /** Lets an hour go by on a clock that is ahead, and notes the time. @returns what is kept */
  function runHours(clock: AgeClock, hours: number, aheadMs: number): SeenTime {
    let kept = seen(NOW);
    for (let hour = 0; hour < hours; hour += 1) {
      monotonicMs += HOUR_MS;
      kept = clock.note(NOW + aheadMs + monotonicMs, 'jobs', log.logger);
    }
    return kept;
  }

  it('is that of the system while it is less than a day ahead, and moves what was seen', () => {
    const clock = new AgeClock(seen(NOW));
    expect(clock.at(NOW + 23 * HOUR_MS)).toBe(NOW + 23 * HOUR_MS);
    expect(clock.note(NOW + 23 * HOUR_MS, 'jobs', log.logger)).toEqual(seen(NOW + 23 * HOUR_MS));
    expect(clock.note(NOW, 'jobs', log.logger)).toEqual(seen(NOW + 23 * HOUR_MS));
    expect(log.complaints()).toEqual([]);
  });

  it('stands still while that of the system is further ahead, until it has run for a day, across a restart', () => {
    const clock = new AgeClock(seen(NOW));
    clock.note(NOW + LEAP_MS, 'jobs', log.logger);
    expect(clock.at(NOW + LEAP_MS)).toBe(NOW);
    const kept = runHours(clock, 23, LEAP_MS);
    expect(clock.at(NOW + LEAP_MS + monotonicMs)).toBe(NOW);
    const restarted = new AgeClock(kept);
    runHours(restarted, 1, LEAP_MS);
    expect(restarted.at(NOW + LEAP_MS + monotonicMs)).toBe(NOW + LEAP_MS + monotonicMs);
  });

  it('counts the day anew on a clock that is put forward again, and not at all once the clock is right', () => {
    const clock = new AgeClock(seen(NOW));
    runHours(clock, 20, LEAP_MS);
    runHours(clock, 20, 2 * LEAP_MS);
    expect(clock.at(NOW + 2 * LEAP_MS)).toBe(NOW);
    monotonicMs = 0;
    expect(clock.note(NOW + HOUR_MS, 'jobs', log.logger)).toEqual(seen(NOW + HOUR_MS));
  });

  it.each([
    ['silent after a weekend', 3, []],
    ['told again and again beyond eight days', 9, ['store.clock_ahead', 'store.clock_ahead', 'store.clock_ahead']],
  ])('is %s', (_, days, told) => {
    runHours(new AgeClock(seen(NOW)), 3, days * DAY_MS);
    expect(log.complaints()).toEqual(told);
  });
});
