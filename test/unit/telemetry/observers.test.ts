/** Observers of work, one or two, and values for scrapes. */
import { describe, expect, it } from '@jest/globals';
import { observed, successOf, type Observer } from '../../../src/base/observation.js';
import { MetricSet } from '../../../src/programs/telemetry/metrics/metric-set.js';
import { orderMetrics } from '../../../src/programs/telemetry/metrics/work-metrics.js';
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

it('the shares of its limits that an organisation uses are those of the orders of five minutes, and name it near a limit', async () => {
  let now = 60_000;
  const metrics = new MetricSet();
  const onOrder = orderMetrics(metrics, () => now);
  const order = (TooManyOpenJobs: number, others: object = {}, org = 'acme'): void =>
    onOrder(org, { TooManyOrders: 0, TooManyKeptJobs: 0, ...others, TooManyOpenJobs });
  const shown = async (): Promise<string | undefined> =>
    /^gateway_open_jobs_ratio (.*)$/m.exec((await metrics.exposition()).text)?.[1];
  expect(await shown()).toBe('0');
  for (const share of [0.2, 0.7, 0.4]) order(share);
  const named = async (): Promise<readonly string[]> =>
    (await metrics.exposition()).text
      .split('\n')
      .filter((line) => line.startsWith('gateway_organisation_limit_ratio{'));
  expect(await named()).toEqual([]);
  now = 180_000;
  order(0.6, { TooManyKeptJobs: 1.1, TooManyOrders: 0.8 });
  for (let index = 0; index < 30; index += 1) order(0, { TooManyOrders: 0.9 }, `org-${index}`);
  order(0.5, { TooManyKeptJobs: 0.95 });
  now = 360_000;
  expect(await shown()).toBe('0.7');
  now = 420_000;
  expect(await shown()).toBe('0.6');
  const names = await named();
  expect(names).toHaveLength(20);
  expect(names).toContain('gateway_organisation_limit_ratio{org="acme",reason="TooManyKeptJobs"} 0.95');
  now = 540_000;
  expect(await named()).toEqual([]);
  expect(await shown()).toBe('0');
  order(0.3);
  expect(await shown()).toBe('0.3');
});
