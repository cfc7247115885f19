import type { BackendStanding } from '../../clients/backend.js';
import type { MetricsConfig } from '../../config/telemetry.js';
import { createHttpListener } from '../../http/http-listener.js';
import { securityHeaders } from '../../http/security-headers.js';
import type { JobKind } from '../../job-record/job-kinds.js';
import type { QueueLoad } from '../../job-record/job-queue.js';
import type { OnKeyUsed } from '../../config/key-use.js';
import type { Logger, WatchableLogger } from '../../logging/logger.js';
import type { Observers } from '../observers.js';
import { authenticationMetrics, keyFetchMetrics, keyUseMetrics } from './authentication-metrics.js';
import { backendStandingMetrics, callMetrics } from './backend-metrics.js';
import { operationMetrics } from './graphql-metrics.js';
import { refusedRequestMetrics, requestMetrics } from './http-metrics.js';
import { deliveryMetrics, jobMetrics, objectMetrics, orderedJobMetrics, reportMetrics } from './job-metrics.js';
import { MetricSet } from './metric-set.js';
import { metricsEndpoint } from './metrics-endpoint.js';
import { processMetrics } from './process-metrics.js';
import { dependencyMetrics, queueMetrics } from './store-metrics.js';
import { LOG_EVENTS, type LogLevel } from '../../logging/log-events.js';

/** The metrics of a program, and where they are read. */
export interface ProgramMetrics {
  readonly observers: Observers;
  readonly onKeyUsed: OnKeyUsed;
  /** The same logger, whose warnings and errors are counted. */
  counted(logger: WatchableLogger): Logger;
  /** Has a queue looked at whenever somebody scrapes. */
  readQueue(load: () => Promise<QueueLoad>): void;
  /** Answers scrapes from now on. @returns where @throws {Error} saying which address cannot be had */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Those of the gateway. */
export interface GatewayMetrics extends ProgramMetrics {
  readonly onJobOrdered: (kind: JobKind) => void;
  /** Counts a request that was answered before any route saw it. */
  readonly onRequestRefused: (status: number) => void;
  /** Has circuits and connections looked at whenever somebody scrapes. */
  readBackends(standing: () => readonly BackendStanding[]): void;
  /** The same for whatever the gateway needs. @param check tells for each whether it can be used */
  readDependencies(check: () => Promise<Readonly<Record<string, boolean>>>): void;
}

/** What is measured, and where it is read. */
export interface MetricsOptions {
  /** Name of the program, as in the log and in traces. */
  readonly service: string;
  readonly version: string;
  /** Where to listen. */
  readonly listen: MetricsConfig;
}

/** How long replies under way get when the process ends. */
const CLOSE_MS = 1_000;

/** Longest time to receive a scrape. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Levels that somebody should know of. */
const COUNTED: ReadonlySet<LogLevel> = new Set(['warn', 'error', 'fatal']);

/** @param operationNames those of the persisted operations, where no others are taken; else undefined */
export function gatewayMetrics(options: MetricsOptions, operationNames: readonly string[] | undefined): GatewayMetrics {
  const metrics = new MetricSet();
  const program = programMetrics(metrics, options);
  return {
    ...program,
    observers: {
      ...program.observers,
      requests: requestMetrics(metrics),
      operations: operationMetrics(metrics, operationNames),
      authentications: authenticationMetrics(metrics),
      keyFetches: keyFetchMetrics(metrics),
      calls: callMetrics(metrics),
      jobs: jobMetrics(metrics),
      reports: reportMetrics(metrics),
      objects: objectMetrics(metrics),
    },
    onJobOrdered: orderedJobMetrics(metrics),
    onRequestRefused: refusedRequestMetrics(metrics),
    readBackends: (standing) => backendStandingMetrics(metrics, standing),
    readDependencies: (check) => dependencyMetrics(metrics, check),
  };
}

export function queueFunctionMetrics(options: MetricsOptions): ProgramMetrics {
  return programMetrics(new MetricSet(), options);
}

/** What both programs have. */
function programMetrics(metrics: MetricSet, { service, version, listen }: MetricsOptions): ProgramMetrics {
  const endProcessMetrics = processMetrics(metrics);
  metrics.gauge('target_info').set({ service_name: service, service_version: version }, 1);
  const listener = createHttpListener(metricsEndpoint(metrics), {
    ...listen,
    portVariable: 'METRICS_PORT',
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    headers: securityHeaders(false),
  });
  return {
    observers: { deliveries: deliveryMetrics(metrics) },
    onKeyUsed: keyUseMetrics(metrics),
    counted: (logger) => countedLogger(logger, metrics),
    readQueue: (load) => queueMetrics(metrics, load),
    async listen() {
      await listener.listen();
      return `${listener.ownUrl}/metrics`;
    },
    async close() {
      endProcessMetrics();
      await listener.close(CLOSE_MS);
    },
  };
}

/** The same logger, whose warnings and errors are counted, whether they are written or not. */
function countedLogger(logger: WatchableLogger, metrics: MetricSet): Logger {
  const counted = Object.entries(LOG_EVENTS)
    .map(([event, [level]]) => ({ event, level }))
    .filter(({ level }) => COUNTED.has(level));
  const events = metrics.counter('gateway_log_events_total', counted);
  const labelsOf = new Map<string, (typeof counted)[number]>(counted.map((labels) => [labels.event, labels]));
  return logger.watched((name) => {
    const labels = labelsOf.get(name);
    if (labels !== undefined) events.count(labels);
  });
}
