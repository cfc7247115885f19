/** Observers of work, one or two, and values for scrapes. */
import { describe, expect, it } from '@jest/globals';
import { observed, successOf, type Observer } from '../../../src/base/observation.js';
import { MetricSet } from '../../../src/programs/telemetry/metrics/metric-set.js';
import { openJobsMetrics } from '../../../src/programs/telemetry/metrics/work-metrics.js';
import { scrapedValue } from '../../../src/programs/telemetry/metrics/scraped-metrics.js';
import { observerOf, combined } from '../../../src/programs/telemetry/observers.js';

/** Notes what happens to objects, under a name. */
function noting(name: string, notes: string[]): Observer {
  return observerOf({
    objectStore(start) {
      notes.push(`${name} started ${start}`);
      return {
        within(work) {
          notes.push(`${name} in`);
          const result = work();
          notes.push(`${name} out`);
          return result;
        },
        finish: (end) => void notes.push(`${name} finished ${end}`),
      };
    },
  });
}

const objects = (observer: Observer | undefined, answer: Promise<number>): Promise<number> =>
  observed(observer, 'objectStore', 'put', () => answer, successOf);

describe('work under observation', () => {
  it('is reported to two, the first one around the other', async () => {
    const notes: string[] = [];
    await objects(combined(noting('outer', notes), noting('inner', notes)), Promise.resolve(7));
    expect(notes).toEqual([
      'outer started put',
      'inner started put',
      'outer in',
      'inner in',
      'inner out',
      'outer out',
      'inner finished ok',
      'outer finished ok',
    ]);
  });
});

describe('a value that is looked up at scrapes', () => {
  it('is asked for once, however many scrape, and for a while', async () => {
    let asked = 0;
    const value = scrapedValue(() => Promise.resolve((asked += 1)));
    expect(await Promise.all([value(), value()])).toEqual([1, 1]);
    expect(await value()).toBe(1);
    expect(asked).toBe(1);
  });
});

it('the share of its limits that an organisation uses is that of the fullest order of five minutes', async () => {
  let now = 0;
  const metrics = new MetricSet();
  const onOrder = openJobsMetrics(metrics, () => now);
  const shown = async (): Promise<string | undefined> =>
    /^gateway_open_jobs_ratio (.*)$/m.exec((await metrics.exposition()).text)?.[1];
  expect(await shown()).toBe('0');
  for (const share of [0.2, 0.9, 0.4]) onOrder(share);
  now = 120_000;
  onOrder(0.8);
  now = 300_000;
  expect(await shown()).toBe('0.9');
  now = 360_000;
  expect(await shown()).toBe('0.8');
  now = 480_000;
  expect(await shown()).toBe('0');
  onOrder(0.3);
  expect(await shown()).toBe('0.3');
});
