import { openBackends } from './app/backends.js';
import { openPersistedOperations, openReportForm } from './app/configured-files.js';
import { watchDependencies } from './app/dependencies.js';
import { createFront } from './app/front.js';
import { shutDownInOrder } from './app/shutdown-order.js';
import { prepareWarmUp } from './app/warm-up.js';
import { openWatchers } from './app/watchers.js';
import type { BackendWaits } from './clients/backend-waits.js';
import type { Config } from './config/config.js';
import { openKeyRing } from './config/open-key-ring.js';
import { openJobEngine } from './engines/open-job-engine.js';
import { watchedJobEngine } from './engines/watched-job-engine.js';
import { createAttemptLimits } from './graphql/limits/attempt-limits.js';
import { createJobCancel } from './jobs/job-cancel.js';
import { createJobList } from './jobs/job-list.js';
import { createJobRunner } from './jobs/run/job-runner.js';
import { createJobStarter } from './jobs/job-start.js';
import { createJobStatusReader } from './jobs/job-status.js';
import { createJobTable } from './jobs/job-table.js';
import type { WatchableLogger } from './logging/logger.js';
import { openObjectEngine } from './objects/open-object-engine.js';
import { watchedObjectStore } from './objects/object-observer.js';
import { startDeliveries, type Deliveries } from './queue-function/consume.js';
import { createReportRenderer } from './reports/render/renderer.js';
import type { Sandbox, SandboxOptions } from './sandbox/sandbox.js';
import type { Observers } from './telemetry/observers.js';

export { findKeyFaults } from './app/backends.js';
export { findFileFaults } from './app/configured-files.js';

/** Waits that are not configured, in milliseconds; each has its default. */
interface Waits extends BackendWaits {
  /** Longest one for a dependency that is asked how it is; 800 by default. */
  readonly probeTimeoutMs?: number;
  /** How long a client may leave its connection unused; 65,000 by default. */
  readonly keepAliveMs?: number;
  /** Longest one for the code to be warm; 3,000 by default. */
  readonly warmUpMs?: number;
}

/** What a gateway is made of besides its configuration. */
export interface GatewayOptions {
  readonly config: Config;
  readonly logger: WatchableLogger;
  /** Version that `serviceVersion` answers. */
  readonly version: string;
  /**
   * How long everybody who asks for the public keys or for readiness is answered with what was found for the first of
   * them, in milliseconds; 1,000 by default.
   */
  readonly sharedAnswerMs?: number;
  /** Waits that are not configured; each has its default. */
  readonly waits?: Waits;
  /** How the simulated backends differ, when they are used. */
  readonly sandboxOptions?: Partial<SandboxOptions>;
  /** Those who watch it; nobody by default. */
  readonly observers?: Observers;
  /**
   * Whether it is ready only once its code is warm; false by default, as what is asked for little, such as the gateway
   * of a test, has no use for that.
   */
  readonly warmsUp?: boolean;
}

/** A gateway that can be started and stopped once. */
export interface Gateway {
  /** Starts listening and consuming jobs. @returns the URL of the gateway, base path included */
  listen(): Promise<string>;
  /**
   * Stops in order: readiness fails, jobs stop at their next item and give their leases back, connections end,
   * stores close. Takes at most the configured times. @returns the names of the steps
   * that did not end well; empty when all did
   */
  close(): Promise<readonly string[]>;
  /** The simulated backends, when they are used. */
  readonly sandbox: Sandbox | undefined;
}

/** Jobs handled at the same time by the queue consumer of this process. */
const CONSUMER_CONCURRENCY = 4;

/** How often the backends may be asked for what anybody may ask us for. */
const SHARED_ANSWER_MS = 1_000;

/** Threads that draw reports. */
const REPORT_WORKERS = 1;

/** The composition root: builds a gateway of its configuration. Nothing listens before `listen`. */
export async function createGateway({
  config,
  logger: plainLogger,
  version,
  sharedAnswerMs = SHARED_ANSWER_MS,
  waits: { keepAliveMs, probeTimeoutMs, warmUpMs, ...waits } = {},
  sandboxOptions,
  observers: given = {},
  warmsUp = false,
}: GatewayOptions): Promise<Gateway> {
  const { basePath, limits } = config;
  const { callbackSigning: secrets } = config.keys;
  let draining = false;
  let warm = false;
  let publicUrl = config.publicUrl;

  // Before anything is opened, as every fault of the configuration is found.
  const persistedOperations = await openPersistedOperations(config);
  const reportForm = await openReportForm(config);

  const watchers = await openWatchers(config, { logger: plainLogger, version, observers: given, persistedOperations });
  const { logger, observers, tracing, metrics } = watchers;
  const { currentTrace } = tracing;
  const onKeyUsed = metrics?.onKeyUsed;

  const keyRing = await openKeyRing(config, onKeyUsed);
  const jobEngine = watchedJobEngine(await openJobEngine(config, logger, { exclusive: true }), observers.jobStore);
  const objectEngine = await openObjectEngine(config, keyRing, logger, () => publicUrl ?? basePath);
  const { jobStore, submission } = jobEngine;
  const objectStore = observers.objects
    ? watchedObjectStore(objectEngine.objectStore, observers.objects)
    : objectEngine.objectStore;
  const { backends, sandbox } = await openBackends(config, { watchers, waits, sandboxOptions });
  const { backendApi, geoApi, voipApi } = backends;
  const renderer = createReportRenderer({
    workers: REPORT_WORKERS,
    maxTaggedPages: config.report.maxTaggedPages,
    observer: observers.reports,
  });

  const jobs = createJobTable({
    backendApi,
    geoApi,
    objectStore,
    renderer,
    maxItems: limits.bulkItems,
    keysRememberedMs: config.jobs.queuePatienceMs,
    maxDrivers: limits.reportDrivers,
    locale: config.report.locale,
    speedLimitKmh: config.report.speedLimitKmh,
    form: reportForm,
  });
  const runner = createJobRunner({
    jobStore,
    organisations: jobEngine.organisations,
    keyRing,
    logger,
    observer: observers.jobs,
    itemObserver: observers.items,
    ...config.jobs,
  });

  const services = {
    backendApi,
    geoApi,
    voipApi,
    jobs,
    objectStore,
    version,
    jobStarter: createJobStarter({ submission, keyRing, currentTrace, onOrdered: metrics?.onJobOrdered }),
    jobStatus: createJobStatusReader(jobStore),
    jobList: createJobList({ jobs, organisations: jobEngine.organisations, jobStore }),
    jobCancel: createJobCancel(jobs, jobStore),
    attemptLimits: createAttemptLimits(limits, jobEngine.counters),
    allowTestOtp: config.allowTestOtp,
  };
  const dependencies = watchDependencies({
    backends,
    jobEngine,
    objectEngine,
    sharedMs: sharedAnswerMs,
    probeTimeoutMs,
    metrics,
    logger,
  });
  const frontOptions = {
    config,
    logger,
    observers,
    services,
    issuers: config.tokenIssuers ?? (sandbox ? [sandbox.issuer] : []),
    persistedOperations,
    runner,
    callbackSigning: secrets && { secrets, replayMemory: jobEngine.replayMemory, onKeyUsed },
    onKeyUsed,
    dependencies,
    isDraining: () => draining,
    isWarm: () => warm,
    sharedAnswerMs,
    signedObjects: objectEngine.signedObjects,
    playground: servesPlayground(config) ? { login: sandbox?.accounts.find(({ otp }) => !otp) } : undefined,
    keepAliveMs,
    onRefused: metrics?.onRequestRefused,
  };
  const front = createFront(frontOptions);
  let deliveries: Deliveries | undefined;
  const startJobDeliveries = (gatewayUrl: string): Deliveries =>
    startDeliveries({
      queue: jobEngine.queue,
      jobStore,
      organisations: jobEngine.organisations,
      keyRing,
      logger,
      gatewayUrl,
      apiKey: config.keys.callback[0],
      signingSecrets: secrets,
      deadlineMs: config.jobs.deadlineMs,
      patienceMs: config.jobs.queuePatienceMs,
      concurrency: CONSUMER_CONCURRENCY,
      observer: observers.deliveries,
      currentTrace,
    });

  return {
    sandbox,

    async listen() {
      if (metrics) logger.event('metrics.listening', { url: await metrics.listen() });
      // Before the first connection stands, requests would be refused.
      await jobEngine.ready();
      await front.listen();
      const warmUp = warmsUp ? prepareWarmUp(frontOptions, warmUpMs) : undefined;
      // Who asks for it already waits. When it is faulty, this process does not start.
      await front.loadGraphQL();
      const ownUrl = `${front.ownUrl}${basePath}`;
      const gatewayUrl = config.gatewayUrl ?? ownUrl;
      // What production is reached by is seldom its own address.
      if (!config.production) publicUrl ??= ownUrl;
      // With a shared queue, production has queue functions of its own.
      if (jobEngine.embedded || !config.production) deliveries = startJobDeliveries(gatewayUrl);
      renderer.warm().catch((err: unknown) => {
        // A gateway that is stopped while it warms up has lost nothing.
        if (!draining) logger.event('report.fonts_not_loaded', { err });
      });
      await warmUp?.();
      warm = true;
      return gatewayUrl;
    },

    async close() {
      draining = true;
      const serving = { runner, listener: front, renderer, backends, sandbox };
      const parts = { deliveries: () => deliveries, ...serving, objectEngine, jobEngine, tracing, metrics };
      try {
        return await shutDownInOrder(parts, config.shutdown, logger);
      } finally {
        front.stopLooking();
      }
    },
  };
}

/** In development, unless each of its operations would be refused. */
export function servesPlayground({ production, persistedOperations }: Config): boolean {
  return !production && persistedOperations?.only !== true;
}
