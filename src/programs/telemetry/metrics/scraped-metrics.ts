import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { BackendStatus } from '../../../clients/backend.js';
import type { QueueLoad } from '../../../jobs/record/job-queue.js';
import { descriptorReader, processUsage } from '../../process/process-usage.js';
import { LATE, sharedAnswer, withinTime } from '../../../base/waits.js';
import type { MetricSet } from './metric-set.js';

/** Time for which a value serves all scrapes, in milliseconds. */
const SHARED_MS = 1_000;

/** Longest wait of a scrape for a value, in milliseconds. */
const MAX_SCRAPE_WAIT_MS = 500;

/**
 * Caches a value for scrapes: it is read at most once a second and once at a time, for any number of scrapes. A scrape
 * waits only for a short time for a store that hangs.
 *
 * @returns a function that returns the value; undefined if it is unknown or late
 */
export function scrapedValue<T>(read: () => Promise<T>, maxWaitMs = MAX_SCRAPE_WAIT_MS): () => Promise<T | undefined> {
  const shared = sharedAnswer<T | undefined>(SHARED_MS);
  return async () => {
    const value = await withinTime(
      shared(() => read().catch(() => undefined)),
      maxWaitMs,
    );
    return value === LATE ? undefined : value;
  };
}

/** Reads how much of a memory or disk is used, in bytes; undefined if unknown. */
export type ReadStorageUse = () => Promise<{ readonly used: number; readonly limit: number } | undefined>;

export function backendStatusMetrics(metrics: MetricSet, status: () => readonly BackendStatus[]): void {
  const open = metrics.gauge('gateway_circuit_open');
  const parties = metrics.gauge('gateway_circuit_open_parties');
  const inUse = metrics.gauge('gateway_backend_connections_in_use');
  const max = metrics.gauge('gateway_backend_connections_max');
  const waiting = metrics.gauge('gateway_backend_calls_waiting');
  const refused = metrics.gauge('gateway_backend_key_refused');
  metrics.readAtScrape(() => {
    for (const { backend, circuits, connections, key } of status()) {
      if (key !== undefined) {
        refused.set({ scope: 'organisations' }, key.organisations);
        refused.set({ scope: 'everybody' }, key.everywhere ? 1 : 0);
      }
      for (const { caller, mode, isOpen, openParties } of circuits) {
        open.set({ backend, caller, mode }, isOpen || openParties > 0 ? 1 : 0);
        parties.set({ backend, caller, mode }, openParties);
      }
      for (const { purpose, ...numbers } of connections) {
        inUse.set({ backend, purpose }, numbers.inUse);
        max.set({ backend, purpose }, numbers.max);
        waiting.set({ backend, purpose }, numbers.waiting);
      }
    }
  });
}

/** Reads the queue at each scrape; the series are absent while it does not answer. */
export function queueMetrics(metrics: MetricSet, load: () => Promise<QueueLoad>): void {
  const depth = metrics.gauge('gateway_queue_depth');
  const inHand = metrics.gauge('gateway_queue_in_hand');
  const oldest = metrics.gauge('gateway_queue_oldest_seconds');
  const deadLetters = metrics.gauge('gateway_dead_letters');
  const read = scrapedValue(load);
  metrics.readAtScrape(async () => {
    const found = await read();
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

/** Shows the mark of the store that the program saw last; the series is absent before it has seen one. */
export function markMetrics(metrics: MetricSet, mark: () => string | undefined): void {
  const info = metrics.gauge('gateway_store_mark_info');
  metrics.readAtScrape(() => {
    const seen = mark();
    info.reset();
    if (seen !== undefined) info.set({ mark: seen }, 1);
  });
}

/** Longest wait of a scrape for the checks of dependencies, in milliseconds; each check has a limit of its own. */
const CHECKS_MS = 2_000;

export function dependencyMetrics(metrics: MetricSet, check: () => Promise<Readonly<Record<string, boolean>>>): void {
  const up = metrics.gauge('gateway_dependency_up');
  const read = scrapedValue(check, CHECKS_MS);
  metrics.readAtScrape(async () => {
    const found = await read();
    if (found === undefined) up.reset();
    else for (const [dependency, isUp] of Object.entries(found)) up.set({ dependency }, isUp ? 1 : 0);
  });
}

/** Shows the organisation whose reports take most of the disk, and their bytes. */
export function largestReportsMetrics(metrics: MetricSet): (org: string, bytes: number) => void {
  const files = metrics.gauge('gateway_report_files_bytes');
  return (org, bytes) => {
    files.reset();
    files.set({ org }, bytes);
  };
}

/** Reads the use of each storage at each scrape. The series of a storage are absent while its use is unknown. */
export function storageMetrics(metrics: MetricSet, reads: Readonly<Record<string, ReadStorageUse>>): void {
  const used = metrics.gauge('gateway_storage_used_bytes');
  const limit = metrics.gauge('gateway_storage_limit_bytes');
  for (const [storage, read] of Object.entries(reads)) {
    const readShared = scrapedValue(read);
    metrics.readAtScrape(async () => {
      const found = await readShared();
      if (found === undefined) {
        for (const gauge of [used, limit]) gauge.remove({ storage });
        return;
      }
      used.set({ storage }, found.used);
      limit.set({ storage }, found.limit);
    });
  }
}

/** Reads memory, processor time, descriptors and event loop at each scrape. @returns stops watching the event loop */
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
    cpu.reset();
    cpu.inc({ cpu_mode: 'user' }, userSeconds);
    cpu.inc({ cpu_mode: 'system' }, systemSeconds);
    uptime.set(uptimeSeconds);
  });
  const open = metrics.gauge('process_open_fds');
  const most = metrics.gauge('process_max_fds');
  const readDescriptors = scrapedValue(descriptorReader());
  metrics.readAtScrape(async () => {
    const found = await readDescriptors();
    if (found === undefined) return;
    open.set(found.open);
    most.set(found.limit);
  });
  return eventLoopMetrics(metrics);
}

/** Interval at which the event loop is measured, in milliseconds. */
const RESOLUTION_MS = 20;

const NS_PER_SECOND = 1e9;

function eventLoopMetrics(metrics: MetricSet): () => void {
  const mean = metrics.gauge('nodejs_eventloop_delay_mean_seconds');
  const p99 = metrics.gauge('nodejs_eventloop_delay_p99_seconds');
  const max = metrics.gauge('nodejs_eventloop_delay_max_seconds');
  const utilization = metrics.gauge('nodejs_eventloop_utilization_ratio');
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let last = performance.eventLoopUtilization();
  metrics.readAtScrape(() => {
    // The histogram records the time between two measurements, and has no mean while it is empty.
    const late = (ns: number): number => Math.max(0, ns / NS_PER_SECOND - RESOLUTION_MS / 1_000);
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
