/** Several reports in one drawing thread. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createReportRenderer, type ReportRenderer } from '../../../src/reports/render/renderer.js';
import { turnsOf } from '../../../src/reports/render/turns.js';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { sampleOutcomes } from '../../support/sample-report.js';
import { waitFor } from '../../support/wait-for.js';
import { OPTIONS } from './drawn.js';

describe('turns', () => {
  /** Time passes while pages are drawn, and at no other time. */
  let now: number;
  beforeEach(() => {
    now = 0;
  });
  const clock = (): number => now;

  /** Draws pages of a given length until a point in time, and counts them. */
  async function drawUntil(
    end: number,
    take: ReturnType<typeof turnsOf>,
    organisation: string,
    pageMs: number,
  ): Promise<number> {
    for (let pages = 0; ; pages += 1) {
      await take(organisation);
      if (now >= end) return pages;
      now += pageMs;
    }
  }

  it('give each organisation the same time, however many reports it has and however large its pages are', async () => {
    const take = turnsOf(clock);
    const [first, second, third, other] = await Promise.all([
      drawUntil(1_000, take, 'busy', 8),
      drawUntil(1_000, take, 'busy', 8),
      drawUntil(1_000, take, 'busy', 8),
      drawUntil(1_000, take, 'other', 2),
    ]);
    // Four small pages for a large one.
    expect(other / (first + second + third)).toBeGreaterThan(3.5);
    expect(other / (first + second + third)).toBeLessThan(4.5);
    expect(Math.max(first, second, third) - Math.min(first, second, third)).toBeLessThanOrEqual(1);
  });

  it('leave no debt behind: an organisation that has drawn alone waits no longer for one that comes later', async () => {
    const take = turnsOf(clock);
    const first = drawUntil(600, take, 'first', 2);
    while (now < 300) await nextTurn();
    const second = await drawUntil(600, take, 'second', 2);
    // Had it to make up for the time before, the other one would have drawn for 300 ms alone.
    expect(second).toBeGreaterThan(70);
    expect(second).toBeLessThan(80);
    expect((await first) + second).toBe(300);
  });

  it('let others in between', async () => {
    const take = turnsOf();
    const order: string[] = [];
    const first = take('a').then(() => order.push('a'));
    const second = take('b').then(() => order.push('b'));
    await nextTurn().then(() => order.push('message'));
    await Promise.all([first, second]);
    expect(order).toEqual(['a', 'message', 'b']);
  });
});

describe('one thread that draws', () => {
  let renderer: ReportRenderer;
  beforeAll(async () => {
    renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
    await draw('first', 1);
  });
  afterAll(() => renderer.close());

  /** Draws a report. @returns how many chunks it had, and tells of each */
  async function draw(org: string, driverCount: number, onDriver?: () => void): Promise<void> {
    const report = { ...OPTIONS, org, jobId: `${org}-${driverCount}`, driverCount };
    async function* drivers(): AsyncGenerator<DriverOutcome> {
      for await (const outcome of sampleOutcomes(driverCount, { locale: 'en' })) {
        onDriver?.();
        yield outcome;
      }
    }
    for await (const bytes of renderer.render(report, drivers, new AbortController().signal)) {
      if (bytes.length === 0) throw new Error('An empty chunk.');
    }
  }

  it('has drawn the small report of one organisation before the large ones of another have had much more', async () => {
    let busyDrivers = 0;
    const large = [1, 2, 3].map(() => draw('busy', 40, () => (busyDrivers += 1)));
    await waitFor('the large ones to be drawn', () => busyDrivers >= 9);
    const before = busyDrivers;
    await draw('other', 6);
    // Their pages are alike; pages that are drawn while it waits for data cost no time of others.
    expect(busyDrivers - before).toBeLessThan(60);
    await Promise.all(large);
    expect(busyDrivers).toBe(120);
  });

  it('frees the place of a report that was ended before its turn had come', async () => {
    const abort = new AbortController();
    const reason = new Error('not wanted any more');
    const waiting = [1, 2, 3, 4].map(async (number) => {
      const report = { ...OPTIONS, org: 'busy', jobId: `waits-${number}`, driverCount: 600 };
      for await (const _ of renderer.render(report, () => sampleOutcomes(600, { locale: 'en' }), abort.signal));
    });
    const ended = Promise.allSettled(waiting);
    setTimeout(() => abort.abort(reason), 50);
    for (const outcome of await ended) expect(outcome).toEqual({ status: 'rejected', reason });
    await draw('busy', 2);
  });
});
