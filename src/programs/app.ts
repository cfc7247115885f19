import { setTimeout as delay } from 'node:timers/promises';
import { openBackends, watchDependencies } from './app/backends.js';
import { openPersistedOperations, openReportSettings } from './app/configured-files.js';
import { createServers } from './app/servers.js';
import type { BackendWaits } from '../clients/connections.js';
import type { Config } from '../base/config/config.js';
import { openKeyRing } from '../base/config/open-key-ring.js';
import { openJobEngine } from '../jobs/engines/open-job-engine.js';
import { watchedJobEngine } from '../jobs/engines/job-engine.js';
import { answerTexts } from '../gateway/graphql/limits/answer-text.js';
import { KeptSessions } from '../gateway/auth/kept-sessions.js';
import { AttemptLimits } from '../gateway/graphql/limits/attempt-limits.js';
import { JobList } from '../jobs/job-list.js';
import { JobRunner } from '../jobs/run/job-runner.js';
import { JobStarter } from '../jobs/job-start.js';
import { createJobTable } from '../jobs/job-table.js';
import type { Phase } from '../gateway/http/endpoints/health.js';
import type { WatchableLogger } from '../base/logging/logger.js';
import { openObjects } from '../objects/open-objects.js';
import { watchedObjectStore } from '../objects/object-store.js';
import { startDeliveries, type Deliveries } from '../jobs/queue-function/consume.js';
import { createReportRenderer } from '../reports/render/renderer.js';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.js';
import { maxConnections } from './process/process-usage.js';
import { runShutdown, type ShutdownStep } from './process/shutdown.js';
import { openWatchers } from './telemetry/watchers.js';

/** Time limits outside the configuration, in milliseconds; each has a default. */
interface Waits extends BackendWaits {
  /** Time limit of a health check of a dependency; 800 by default. */
  readonly probeTimeoutMs?: number;
}

/** Configuration and settings outside the configuration. */
export interface GatewayOptions {
  readonly config: Config;
  readonly logger: WatchableLogger;
  /** Answer of `serviceVersion`. */
  readonly version: string;
  /** Commit in the metrics; `unknown` by default. */
  readonly commit?: string;
  /** Time for which all callers share one answer of the public keys or of readiness; 1,000 ms by default. */
  readonly sharedAnswerMs?: number;
  readonly waits?: Waits;
  /** Told that embedded jobs can be kept no more until the next start. */
  readonly onLost?: () => void;
  /** Settings of the simulated backends, if used. */
  readonly sandboxOptions?: Partial<SandboxOptions>;
}

/** Number of jobs that the queue consumer of this process handles at the same time. */
const CONSUMER_CONCURRENCY = 16;

/** Shortest time between calls to the backends for public requests, in milliseconds. */
const SHARED_ANSWER_MS = 1_000;

const REPORT_WORKERS = 1;

/** Time for open replies after jobs have used up the drain time, in milliseconds. */
const MIN_GRACE_MS = 1_000;

/** Time for a part to close once its work has ended, in milliseconds. */
const CLOSE_MS = 3_000;

/** Builds a gateway from its configuration. Nothing listens before `listen`. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  return new Gateway(await openParts(options));
}

/** Parts of a gateway, which it closes in the end. */
type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts({
  config,
  logger: plainLogger,
  version,
  commit = 'unknown',
  sharedAnswerMs = SHARED_ANSWER_MS,
  waits: { probeTimeoutMs, ...waits } = {},
  onLost,
  sandboxOptions,
}: GatewayOptions) {
  const { basePath, limits, report } = config;
  const life: { phase: Phase; publicUrl: string | undefined } = { phase: 'STARTING', publicUrl: config.publicUrl };

  // As part of the configuration, these are checked before anything is opened.
  const persistedOperations = await openPersistedOperations(config, (reason) => {
    plainLogger.event('config.doubtful', { reason });
  });
  const reportSettings = await openReportSettings(config);

  const watchers = await openWatchers(config, {
    program: 'gateway',
    version,
    commit,
    logger: plainLogger,
    measure: async (options) => {
      const { gatewayMetrics } = await import('./telemetry/metrics/program-metrics.js');
      const { operationNames } = await import('../gateway/graphql/documents/persisted-operations.js');
      const names = persistedOperations ? operationNames(persistedOperations) : [];
      return gatewayMetrics(options, { names, only: persistedOperations?.only === true });
    },
  });
  const { logger, observer, tracing, metrics } = watchers;
  const { currentTrace } = tracing;
  const onKeyUsed = metrics?.onKeyUsed;

  const keyRing = await openKeyRing(config, onKeyUsed);
  const counting = { onOrder: metrics?.onOrder, onChange: metrics?.onJobChange };
  const engine = await openJobEngine(config, logger, { exclusive: true, ...counting, onLost });
  const jobEngine = watchedJobEngine(engine, observer);
  const objects = await openObjects(config.objects, logger);
  const linkBase = (): string => life.publicUrl ?? basePath;
  const reportStore = objects.openReports({ keyRing, linkBase, onLargest: metrics?.onLargestReports });
  const { jobStore, submission, organisations } = jobEngine;
  const objectStore = watchedObjectStore(reportStore, observer);
  const { backends, sandbox } = await openBackends(config, watchers, waits, sandboxOptions);
  const { backendApi, geoApi, voipApi } = backends;
  const { maxTaggedPages } = report;
  const renderer = createReportRenderer({ workers: REPORT_WORKERS, maxTaggedPages, logger, observer });

  const jobs = createJobTable({
    backendApi,
    geoApi,
    objectStore,
    renderer,
    queuePatienceMs: config.jobs.queuePatienceMs,
    ...limits,
    mobileUpdates: config.mobileUpdates,
    report: reportSettings,
  });
  const runner = new JobRunner({ jobStore, organisations, keyRing, logger, observer, ...config.jobs });

  const services = {
    backendApi,
    geoApi,
    voipApi,
    jobs,
    objectStore,
    version,
    jobStarter: new JobStarter({
      submission,
      jobStore,
      keyRing,
      maxBodyBytes: limits.callbackMaxBodyBytes,
      currentTrace,
      onOrdered: metrics?.onJobOrdered,
    }),
    jobList: new JobList({ jobs, organisations, jobStore }),
    jobStore,
    keptSessions: new KeptSessions({ texts: jobEngine.texts, keyRing, callMs: config.backendTimeoutMs }),
    attemptLimits: new AttemptLimits({
      limits,
      counters: jobEngine.counters,
      texts: jobEngine.texts,
      callMs: config.backendTimeoutMs,
    }),
    answerTextOf: answerTexts(limits.graphqlMaxAnswerBytes),
    allowTestOtp: config.allowTestOtp,
  };
  const findDependencies = watchDependencies({
    backends,
    jobEngine,
    reportStore,
    sharedMs: sharedAnswerMs,
    probeTimeoutMs,
    dataDir: jobEngine.embedded ? config.dataDir : reportStore.dataDir,
    metrics,
    logger,
  });
  const servers = createServers({
    config,
    logger,
    observer,
    services,
    issuers: config.tokenIssuers ?? (sandbox ? [sandbox.issuer] : []),
    persistedOperations,
    runner,
    replayMemory: jobEngine.replayMemory,
    onKeyUsed,
    findDependencies,
    phase: () => life.phase,
    sharedAnswerMs,
    signedObjects: reportStore.signedObjects,
    playgroundLogin: sandbox?.accounts.find(({ otp }) => !otp),
    onRefused: metrics?.onRequestRefused,
    maxConnections: await maxConnections(),
  });
  return { config, life, watchers, keyRing, jobEngine, reportStore, backends, sandbox, renderer, runner, servers };
}

/** A gateway that can be started and stopped once. */
export class Gateway {
  readonly #parts: Parts;
  #deliveries: Deliveries | undefined;
  /** The simulated backends, if used. */
  readonly sandbox: Sandbox | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.sandbox = parts.sandbox;
  }

  /** Starts listening and consuming jobs. @returns the URL of the gateway, base path included */
  async listen(): Promise<string> {
    const { config, life, jobEngine, reportStore, servers } = this.#parts;
    const { logger, metrics } = this.#parts.watchers;
    if (metrics) logger.event('metrics.listening', { url: await metrics.listen() });
    // Requests before the store is connected would be refused.
    await jobEngine.ready(jobEngine.embedded ? undefined : reportStore.wasUsed());
    await servers.listen();
    // Early requests wait for GraphQL. An error in it ends the start.
    await servers.loadGraphQL();
    const ownUrl = `${servers.ownUrl}${config.basePath}`;
    // In production, the public address is seldom that of the process.
    if (!config.production) life.publicUrl ??= ownUrl;
    // In production, separate queue functions serve a shared queue.
    if (jobEngine.embedded || !config.production) this.#startDeliveries(config.gatewayUrl ?? ownUrl);
    if (life.phase === 'STARTING') life.phase = 'OK';
    return ownUrl;
  }

  #startDeliveries(gatewayUrl: string): void {
    const { config, watchers, keyRing, jobEngine } = this.#parts;
    this.#deliveries = startDeliveries({
      queue: jobEngine.queue,
      jobStore: jobEngine.jobStore,
      organisations: jobEngine.organisations,
      keyRing,
      logger: watchers.logger,
      gatewayUrl,
      apiKey: config.keys.callback[0],
      signingSecrets: config.keys.callbackSigning,
      deadlineMs: config.jobs.deadlineMs,
      patienceMs: config.jobs.queuePatienceMs,
      concurrency: config.jobs.concurrency ?? CONSUMER_CONCURRENCY,
      observer: watchers.observer,
      currentTrace: watchers.tracing.currentTrace,
    });
  }

  /**
   * Stops in order: readiness fails, jobs stop at their next item and release their leases, connections end, stores
   * close. Takes at most the configured times. @returns the names of failed steps
   */
  async close(): Promise<readonly string[]> {
    const { life, watchers, servers } = this.#parts;
    life.phase = 'DRAINING';
    try {
      return await runShutdown(this.#shutdownSteps(), watchers.logger);
    } finally {
      servers.stopLoadMonitor();
    }
  }

  /** Returns the steps of the shutdown, in which each part closes before those it depends on. */
  #shutdownSteps(): readonly ShutdownStep[] {
    const { config, watchers, jobEngine, reportStore, backends, sandbox, renderer, runner, servers } = this.#parts;
    const { delayMs, drainMs } = config.shutdown;
    const drainedBy = performance.now() + delayMs + drainMs;
    return [
      { name: 'let load balancers notice', maxMs: delayMs + CLOSE_MS, run: () => delay(delayMs) },
      {
        // Open deliveries wait for their callbacks, so both end together.
        name: 'jobs',
        maxMs: drainMs + 2 * CLOSE_MS,
        run: () => Promise.all([this.#deliveries?.close(drainMs), runner.drain(drainMs)]),
      },
      {
        name: 'connections',
        maxMs: drainMs + CLOSE_MS,
        run: () => servers.close(Math.max(MIN_GRACE_MS, drainedBy - performance.now())),
      },
      { name: 'report renderer', maxMs: CLOSE_MS, run: () => renderer.close() },
      { name: 'backend connections', maxMs: CLOSE_MS, run: () => backends.close() },
      { name: 'object store', maxMs: CLOSE_MS, run: () => reportStore.close() },
      { name: 'job store and queue', maxMs: 2 * CLOSE_MS, run: () => jobEngine.close() },
      { name: 'sandbox', maxMs: CLOSE_MS, run: async () => sandbox?.close() },
      { name: 'traces', maxMs: CLOSE_MS, run: () => watchers.tracing.close() },
      // Last, because metrics show the progress of the shutdown.
      { name: 'metrics', maxMs: CLOSE_MS, run: async () => watchers.metrics?.close() },
    ];
  }
}
