import { describe, expect, it } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { METRICS } from '../../../src/telemetry/metric-table.js';
import { MetricSet } from '../../../src/telemetry/metrics/metric-set.js';

const DURATIONS = 'gateway_graphql_operation_duration_seconds';
const FETCHES = 'gateway_key_fetch_duration_seconds';
const ITEMS = 'gateway_job_items_total';
const PAGES = 'gateway_report_pages_total';
const OUTCOMES = ['ok', 'refused', 'failed'];

/** A metric of the table as prom-client itself would keep it. */
function settingsOf(name: keyof typeof METRICS, registers: Registry[]) {
  const { help, labels } = METRICS[name];
  return { name, help, labelNames: [...labels], registers };
}

describe('A set of metrics', () => {
  it('shows what prom-client shows that is told of each observation and of each count', async () => {
    const set = new MetricSet();
    const registry = new Registry();
    const [durations, fetches] = [set.histogram(DURATIONS), set.histogram(FETCHES)];
    const [items, pages] = [set.counter(ITEMS), set.counter(PAGES)];
    const ofThem = {
      durations: new Histogram({ ...settingsOf(DURATIONS, [registry]), buckets: [...METRICS[DURATIONS].buckets] }),
      fetches: new Histogram({ ...settingsOf(FETCHES, [registry]), buckets: [...METRICS[FETCHES].buckets] }),
      items: new Counter(settingsOf(ITEMS, [registry])),
      pages: new Counter(settingsOf(PAGES, [registry])),
    };
    const same = async (): Promise<void> => {
      expect((await set.exposition('prometheus')).text).toBe(await registry.metrics());
    };
    // Those without labels are there from the beginning.
    await same();
    const values = METRICS[DURATIONS].buckets.flatMap((bound) => [bound, bound * 0.9, bound * 1.1, 0]);
    for (const [index, value] of values.entries()) {
      const outcome = OUTCOMES[index % 3] ?? '';
      const labels = { operation: `Operation${index % 4} "of" \\ all`, outcome };
      durations.observe(value, labels);
      ofThem.durations.observe(labels, value);
      fetches.observe(value);
      ofThem.fetches.observe(value);
      items.add(index, { kind: 'mobiles', outcome });
      ofThem.items.inc({ kind: 'mobiles', outcome }, index);
      items.count({ kind: 'driving-reports', outcome });
      ofThem.items.inc({ kind: 'driving-reports', outcome });
      pages.add(value);
      ofThem.pages.inc(value);
    }
    await same();
    await same();
  });

  it('tells series apart by their values, whatever these look like together', async () => {
    const set = new MetricSet();
    const durations = set.histogram(DURATIONS);
    durations.observe(1, { operation: 'a', outcome: 'ok' });
    durations.observe(1, { operation: 'aok', outcome: '' });
    durations.observe(1, { operation: 'ok', outcome: 'a' });
    const { text } = await set.exposition('prometheus');
    expect(text.match(/_count\{[^}]*\} 1$/gm)).toHaveLength(3);
  });
});
