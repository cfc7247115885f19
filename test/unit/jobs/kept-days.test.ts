import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type DaysOfJob, type KeptDay, KeptDays } from '../../../src/jobs/kinds/driving-reports/kept-days.js';

const MIB = 1024 * 1024;
const KEEP_MS = 900_000;

let kept: KeptDays;
beforeEach(() => {
  jest.useFakeTimers();
  kept = new KeptDays({ maxBytes: 4 * MIB, keepMs: KEEP_MS });
});
afterEach(() => {
  jest.useRealTimers();
});

const of = (jobId: string, createdAt = 1): DaysOfJob =>
  kept.of({ job: { kind: 'driving-reports', org: 'acme', jobId }, createdAt });

/** Keeps a day of a job that failed. */
function keep(jobId: string, days = day()): void {
  const failed = of(jobId);
  failed.put('1', days);
  failed.keep();
}

/** A day that takes about a megabyte. */
function day(): KeptDay {
  const fix = { time: '2026-11-19T00:00:00Z', lat: 35, lng: 139 };
  const rest = {
    startAddress: null,
    endAddress: null,
    distanceMeters: 0,
    stopCount: 0,
    maxSpeedKmh: 0,
    idleSeconds: 0,
  };
  const track = Array.from({ length: 6_000 }, () => ({ ...fix, speedKmh: 1 }));
  return { trips: [{ start: fix, end: fix, ...rest, track }], vehicle: { num: '1', name: 'van' } };
}

describe('the days of a report that could not be stored', () => {
  it('are there for its next attempt, until they are not needed any more', () => {
    const days = day();
    keep('one', days);
    const second = of('one');
    expect(second.get('1')).toEqual(days);
    second.forget();
    expect(of('one').get('1')).toBeUndefined();
    expect(kept.bytes).toBe(0);
  });

  it('are forgotten when it does not come back in time, and not while an attempt is under way', () => {
    keep('one');
    jest.advanceTimersByTime(KEEP_MS - 1);
    const second = of('one');
    jest.advanceTimersByTime(KEEP_MS);
    expect(second.get('1')).toBeDefined();
    second.keep();
    jest.advanceTimersByTime(KEEP_MS);
    expect([of('one').get('1'), kept.bytes]).toEqual([undefined, 0]);
  });

  it('are not for the attempt that fetched them, which asks for every driver', () => {
    const first = of('one');
    first.put('1', day());
    expect(first.get('1')).toBeUndefined();
  });

  it('are those of that job alone, accepted at that time', () => {
    keep('one');
    expect(of('two').get('1')).toBeUndefined();
    expect(of('one', 2).get('1')).toBeUndefined();
  });

  it('take no more than half of the space, however many drivers a report has', () => {
    const days = of('large');
    const trips = day();
    for (let driver = 0; driver < 10_000; driver += 1) days.put(String(driver), trips);
    expect(kept.bytes).toBeLessThanOrEqual(2 * MIB);
    days.keep();
    const next = of('large');
    expect([next.get('0'), next.get('9999')]).toEqual([expect.anything(), undefined]);
  });

  it('are displaced in the order in which they failed, and never while an attempt is using them', () => {
    const running = of('running');
    for (const driver of ['1', '2']) running.put(driver, day());
    for (const jobId of ['early', 'late']) keep(jobId);
    const next = of('next');
    next.put('1', day());
    expect(of('early').get('1')).toBeUndefined();
    expect(of('late').get('1')).toBeDefined();
    next.put('2', day());
    running.keep();
    const again = of('running');
    expect([again.get('1'), again.get('2')]).toEqual([expect.anything(), expect.anything()]);
    expect(kept.bytes).toBeLessThanOrEqual(4 * MIB);
  });

  it('fill the space to the last byte, and then what waits is displaced before anything that is in use', () => {
    const empty: KeptDay = { trips: [], vehicle: undefined };
    of('measured').put('1', empty);
    const small = new KeptDays({ maxBytes: 2 * kept.bytes, keepMs: KEEP_MS });
    const [first, second, third] = ['1', '2', '3'].map((jobId) =>
      small.of({ job: { kind: 'driving-reports', org: 'acme', jobId }, createdAt: 1 }),
    );
    first?.put('1', empty);
    first?.put('2', empty);
    expect(small.bytes).toBe(kept.bytes);
    first?.keep();
    second?.put('1', empty);
    expect(small.bytes).toBe(2 * kept.bytes);
    third?.put('1', empty);
    expect(small.bytes).toBe(2 * kept.bytes);
    const again = small.of({ job: { kind: 'driving-reports', org: 'acme', jobId: '1' }, createdAt: 1 });
    expect(again.get('1')).toBeUndefined();
    second?.forget();
    third?.forget();
  });

  it('take more space the more trips they have', () => {
    const [trip] = day().trips;
    const trips = trip && [{ ...trip, track: [] }];
    of('none').put('1', { trips: [], vehicle: undefined });
    const bytes = kept.bytes;
    of('one').put('1', { trips: trips ?? [], vehicle: undefined });
    expect(kept.bytes - bytes).toBeGreaterThan(bytes / 2);
  });

  it('of two attempts at once are those of the one that was first', () => {
    const [first, second] = [of('one'), of('one')];
    first.put('1', day());
    const bytes = kept.bytes;
    second.put('1', day());
    second.keep();
    second.forget();
    expect(kept.bytes).toBe(bytes);
    first.keep();
    expect(of('one').get('1')).toBeDefined();
  });

  it('have no timer where there are none', () => {
    of('one').keep();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that arrive when they are not needed any more are not kept', () => {
    const days = of('one');
    days.put('1', day());
    days.forget();
    days.put('2', day());
    expect(kept.bytes).toBe(0);
  });
});
