import type { QueueLoad } from '../../job-record/job-queue.js';
import type { MetricSet } from './metric-set.js';
import { ScrapedValue } from './scraped-value.js';

/** Has the queue read at each scrape; while it does not answer there are no such series. */
export function queueMetrics(metrics: MetricSet, load: () => Promise<QueueLoad>): void {
  const depth = metrics.gauge('gateway_queue_depth');
  const inHand = metrics.gauge('gateway_queue_in_hand');
  const oldest = metrics.gauge('gateway_queue_oldest_seconds');
  const deadLetters = metrics.gauge('gateway_dead_letters');
  const shared = new ScrapedValue(load);
  metrics.readAtScrape(async () => {
    const found = await shared.get();
    if (found === undefined) {
      for (const gauge of [depth, inHand, oldest, deadLetters]) gauge.remove();
      return;
    }
    depth.set(found.waiting);
    inHand.set(found.inHand);
    oldest.set(found.oldestSince === undefined ? 0 : Math.max(0, Date.now() - found.oldestSince) / 1_000);
    deadLetters.set(found.deadLetters);
  });
}

/** Longest wait of a scrape for the checks, each of which has a limit of its own. */
const CHECKS_MS = 2_000;

/** Has the dependencies checked at each scrape. @param check tells for each whether it can be used */
export function dependencyMetrics(metrics: MetricSet, check: () => Promise<Readonly<Record<string, boolean>>>): void {
  const up = metrics.gauge('gateway_dependency_up');
  const shared = new ScrapedValue(check, CHECKS_MS);
  metrics.readAtScrape(async () => {
    const found = await shared.get();
    if (found === undefined) up.reset();
    else for (const [dependency, isUp] of Object.entries(found)) up.set({ dependency }, isUp ? 1 : 0);
  });
}
