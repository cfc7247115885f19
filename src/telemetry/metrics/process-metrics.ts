import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { processUsage } from '../../process/process-usage.js';
import type { MetricSet } from './metric-set.js';

/** How often the event loop is looked at, in milliseconds. */
const RESOLUTION_MS = 20;

const NS_PER_SECOND = 1e9;

/**
 * Has the process itself read at each scrape.
 *
 * @returns stops looking
 */
export function processMetrics(metrics: MetricSet): () => void {
  const usage = metrics.gauge('v8js_memory_heap_used_bytes');
  const limit = metrics.gauge('v8js_memory_heap_limit_bytes');
  const resident = metrics.gauge('process_memory_usage_bytes');
  const cpu = metrics.counter('process_cpu_time_seconds_total');
  const uptime = metrics.gauge('process_uptime_seconds');
  metrics.readAtScrape(() => {
    for (const { space_name: name, space_used_size: used } of getHeapSpaceStatistics()) {
      usage.set({ v8js_heap_space_name: name }, used);
    }
    limit.set(getHeapStatistics().heap_size_limit);
    const { residentBytes, userSeconds, systemSeconds, uptimeSeconds } = processUsage();
    resident.set(residentBytes);
    cpu.set(userSeconds, { cpu_mode: 'user' });
    cpu.set(systemSeconds, { cpu_mode: 'system' });
    uptime.set(uptimeSeconds);
  });
  return eventLoopMetrics(metrics);
}

function eventLoopMetrics(metrics: MetricSet): () => void {
  const mean = metrics.gauge('nodejs_eventloop_delay_mean_seconds');
  const p99 = metrics.gauge('nodejs_eventloop_delay_p99_seconds');
  const max = metrics.gauge('nodejs_eventloop_delay_max_seconds');
  const utilization = metrics.gauge('nodejs_eventloop_utilization_ratio');
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let last = performance.eventLoopUtilization();
  metrics.readAtScrape(() => {
    // What is recorded is the time between two looks.
    const late = (ns: number): number => Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1_000);
    // Not a number as long as nothing was recorded.
    mean.set(Number.isFinite(delays.mean) ? late(delays.mean) : 0);
    p99.set(late(delays.percentile(99)));
    max.set(late(delays.max));
    delays.reset();
    const now = performance.eventLoopUtilization();
    utilization.set(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  });
  return () => delays.disable();
}
