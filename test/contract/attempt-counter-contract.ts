import { beforeEach, expect, it } from '@jest/globals';
import type { AttemptCounter, CounterFactory, ShortLivedTexts, Taking } from '../../src/jobs/record/attempt-counter.js';
import { waitFor } from '../support/wait-for.js';

export const POINTS = 5;
/** Window of a test that does not wait for its end: none is over because a machine is busy. */
export const SECONDS = 600;

/** Registers the tests that every counter must pass, within the `describe` of the caller. */
export function counterContract(counters: () => CounterFactory): void {
  let counter: AttemptCounter;
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    counter = counters()(`contract-${tests}`, POINTS, SECONDS);
  });

  async function taken(key: string, points: number): Promise<Extract<Taking, { outcome: 'taken' }>> {
    const taking = await counter.take(key, points);
    if (taking.outcome !== 'taken') throw new Error('There should have been points.');
    return taking;
  }

  /** Points that are left, which are gone afterwards. */
  async function left(key: string): Promise<number> {
    for (let points = 0; ; points += 1) if ((await counter.take(key, 1)).outcome === 'refused') return points;
  }

  it('gives each key its points, and says how long it takes until there are more', async () => {
    expect(await left('a')).toBe(POINTS);
    const refused = await counter.take('a', 1);
    expect(refused).toMatchObject({ outcome: 'refused' });
    const { retryAfterMs } = refused as Extract<Taking, { outcome: 'refused' }>; // as was just seen
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(SECONDS * 1000);
    expect(await left('b')).toBe(POINTS);
  });

  it('takes nothing when it refuses', async () => {
    await taken('a', 3);
    expect(await counter.take('a', 3)).toMatchObject({ outcome: 'refused' });
    expect(await left('a')).toBe(2);
  });

  it('takes what is given back within its window', async () => {
    const taking = await taken('a', POINTS);
    await taking.giveBack(2);
    expect(await left('a')).toBe(2);
  });

  it('takes nothing back once the window is over, whether or not another one has begun', async () => {
    counter = counters()(`short-${tests}`, POINTS, 2);
    const lone = await taken('b', POINTS);
    const early = await taken('a', POINTS);
    await waitFor('the next window', async () => (await counter.take('a', 1)).outcome === 'taken');
    await Promise.all([early.giveBack(POINTS), lone.giveBack(POINTS)]);
    expect([await left('a'), await left('b')]).toEqual([POINTS - 1, POINTS]);
  });
}

/** Registers the tests that all texts of attempts must pass, within the `describe` of the caller. */
export function textsContract(texts: () => ShortLivedTexts): void {
  it('keeps a text until its time is over or it is deleted, and a new one for one of many', async () => {
    const kept = texts();
    expect(await kept.get('name')).toBeUndefined();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => kept.put('name', `text ${at}`, { forMs: 600_000, isNew: true })),
    );
    expect(all.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await kept.put('name', '', { forMs: 600_000 })).toBe(true);
    expect(await kept.get('name')).toBe('');
    await kept.delete('name');
    expect(await kept.get('name')).toBeUndefined();
    await kept.put('short', 'text', { forMs: 20 });
    await waitFor('its end', async () => (await kept.get('short')) === undefined);
  });
}
