import type { RequestListener } from 'node:http';
import type { BackendStatus } from '../../../clients/backend.js';
import type { Config } from '../../../base/config/config.js';
import { createHttpListener } from '../../../gateway/http/http-listener.js';
import { securityHeaders } from '../../../gateway/http/answer-headers.js';
import type { KeyGeneration, OnKeyUsed, RotatedKey } from '../../../base/config/key-ring.js';
import type { QueueLoad } from '../../../jobs/record/job-queue.js';
import type { Logger, WatchableLogger } from '../../../base/logging/logger.js';
import { MetricSet } from './metric-set.js';
import {
  backendStatusMetrics,
  dependencyMetrics,
  largestReportsMetrics,
  markMetrics,
  processMetrics,
  queueMetrics,
  storageMetrics,
  type ReadStorageUse,
} from './scraped-metrics.js';
import {
  commonMetrics,
  endedJobMetrics,
  orderedJobMetrics,
  orderMetrics,
  workMetrics,
  type PersistedNames,
} from './work-metrics.js';
import { LOG_EVENTS, type LogLevel } from '../../../base/logging/log-events.js';

export type ProgramMetrics = ReturnType<typeof programMetrics>;

export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;

/** Identity of the program and address of its metrics. */
export interface MetricsOptions {
  /** Name of the program, as in the log and in traces. */
  readonly service: string;
  readonly version: string;
  readonly commit: string;
  readonly listen: NonNullable<Config['metrics']>;
}

/** Time for replies under way at the end of the process, in milliseconds. */
const CLOSE_MS = 1_000;

const REQUEST_TIMEOUT_MS = 10_000;

/** Time for which a scraper may leave its connection unused, in milliseconds: longer than scrapes are apart. */
const SCRAPES_APART_MS = 65_000;

const COUNTED_LEVELS: ReadonlySet<LogLevel> = new Set(['warn', 'error', 'fatal']);

export function gatewayMetrics(options: MetricsOptions, persisted: PersistedNames) {
  const metrics = new MetricSet();
  const program = programMetrics(options, metrics);
  return {
    ...program,
    observations: { ...program.observations, ...workMetrics(metrics, persisted) },
    onJobOrdered: orderedJobMetrics(metrics),
    /** Notes the shares of its limits that an organisation uses with an order. */
    onOrder: orderMetrics(metrics),
    onRequestRefused: refusedRequestMetrics(metrics),
    readBackends: (status: () => readonly BackendStatus[]): void => backendStatusMetrics(metrics, status),
    /** Checks dependencies at each scrape. @param check returns whether each can be used */
    readDependencies: (check: () => Promise<Readonly<Record<string, boolean>>>): void =>
      dependencyMetrics(metrics, check),
    /** Notes the organisation whose reports take most of the disk. */
    onLargestReports: largestReportsMetrics(metrics),
    readStorage: (reads: Readonly<Record<string, ReadStorageUse>>): void => storageMetrics(metrics, reads),
  };
}

/** Measures what both programs have in common; a queue function has no other metrics. */
export function programMetrics({ service, version, commit, listen }: MetricsOptions, metrics = new MetricSet()) {
  const endProcessMetrics = processMetrics(metrics);
  metrics.gauge('target_info').set({ service_name: service, service_version: version, commit }, 1);
  const listener = createHttpListener(metricsEndpoint(metrics), {
    ...listen,
    portVariable: 'METRICS_PORT',
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    keepAliveMs: SCRAPES_APART_MS,
    headers: securityHeaders(false),
    onRefused: undefined,
  });
  return {
    observations: commonMetrics(metrics),
    onKeyUsed: keyUseMetrics(metrics),
    onJobChange: endedJobMetrics(metrics),
    counted: (logger: WatchableLogger): Logger => countedLogger(logger, metrics),
    readQueue: (load: () => Promise<QueueLoad>): void => queueMetrics(metrics, load),
    readMark: (mark: () => string | undefined): void => markMetrics(metrics, mark),
    /** Starts to answer scrapes. @returns the URL @throws {Error} naming an unavailable address */
    async listen(): Promise<string> {
      await listener.listen();
      return `${listener.ownUrl}/metrics`;
    },
    async close(): Promise<void> {
      endProcessMetrics();
      await listener.close(CLOSE_MS);
    },
  };
}

/** Returns the same logger, and counts its warnings and errors, at any `LOG_LEVEL`, and the lines it has lost. */
function countedLogger(logger: WatchableLogger, metrics: MetricSet): Logger {
  const counted = Object.entries(LOG_EVENTS)
    .map(([event, [level]]) => ({ event, level }))
    .filter(({ level }) => COUNTED_LEVELS.has(level));
  const events = metrics.counter('gateway_log_events_total', counted);
  const labelsOf = new Map<string, (typeof counted)[number]>(counted.map((labels) => [labels.event, labels]));
  const lost = metrics.counter('gateway_log_lines_lost_total');
  let shownLost = 0;
  metrics.readAtScrape(() => {
    lost.inc(logger.lostLines - shownLost);
    shownLost = logger.lostLines;
  });
  return logger.watched((name) => {
    const labels = labelsOf.get(name);
    if (labels !== undefined) events.inc(labels);
  });
}

/** Statuses of answers before any route. */
const REFUSALS = ['400', '408', '413', '417', '431'].map((status) => ({ http_response_status_code: status }));

/** Counts requests that are malformed, too large or too late for HTTP. */
function refusedRequestMetrics(metrics: MetricSet): (status: number) => void {
  const refused = metrics.counter('gateway_http_requests_refused_total', REFUSALS);
  return (status) => refused.inc({ http_response_status_code: status });
}

const KEYS = ['callback', 'signing', 'encryption'] as const satisfies readonly RotatedKey[];
const GENERATIONS = ['current', 'previous'] as const satisfies readonly KeyGeneration[];

function keyUseMetrics(metrics: MetricSet): OnKeyUsed {
  const uses = metrics.counter(
    'gateway_key_uses_total',
    KEYS.flatMap((key) => GENERATIONS.map((generation) => ({ key, generation }))),
  );
  return (key, generation) => uses.inc({ key, generation });
}

const PATH = '/metrics';

function metricsEndpoint(metrics: MetricSet): RequestListener {
  return (request, response) => {
    const { method, url = '' } = request;
    request.resume();
    if (url.split('?', 1)[0] !== PATH) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at /metrics.\n');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const write = async (): Promise<void> => {
      const { contentType, text } = await metrics.exposition();
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    };
    write().catch(() => response.writeHead(500).end());
  };
}
