import { setTimeout as delay } from 'node:timers/promises';
import { createAuthentication } from './auth/authentication-plugin.js';
import { createAuthenticate } from './auth/bearer-token.js';
import { createKeySource } from './auth/public-keys.js';
import { connectBackends } from './clients/connect-backends.js';
import { createTransport } from './clients/transport.js';
import type { Config } from './config/config.js';
import { openJobEngine, openKeyRing, openObjectEngine } from './engines/open-engines.js';
import { createAttemptLimits } from './graphql/attempt-limits.js';
import { createGatewaySchema } from './graphql/schema.js';
import { createGraphQLServer } from './graphql/server.js';
import { createHttpApp } from './http/http-app.js';
import { createHttpListener } from './http/http-listener.js';
import { createJobRunner } from './jobs/job-runner.js';
import { createJobStarter } from './jobs/job-start.js';
import { createJobStatusReader } from './jobs/job-status.js';
import { createJobTable } from './jobs/job-table.js';
import type { Logger } from './logger.js';
import type { QueueConsumer } from './job-record/job-queue.js';
import { consumeJobs } from './queue-function/consume-jobs.js';
import { createDeliver, createDeliveryTransport } from './queue-function/deliver.js';
import { endDeliveries } from './queue-function/end-deliveries.js';
import { createReportRenderer } from './reports/render/renderer.js';
import type { Sandbox } from './sandbox/sandbox.js';
import { runShutdown } from './process/shutdown.js';

/** What a gateway is made of besides its configuration. */
export interface GatewayOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Version that `serviceVersion` answers. */
  readonly version: string;
}

/** A gateway that can be started and stopped once. */
export interface Gateway {
  /** Starts listening and consuming jobs. @returns the URL of the gateway, base path included */
  listen(): Promise<string>;
  /**
   * Stops in order: readiness fails, jobs stop at their next item and give their leases back, connections end,
   * stores close. Takes at most the configured times. @returns whether everything closed cleanly
   */
  close(): Promise<boolean>;
  /** The simulated backends, when they are used. */
  readonly sandbox: Sandbox | undefined;
}

/** Longest wait for a TCP connection to a backend. */
const CONNECT_TIMEOUT_MS = 2_000;

/** What replies get to leave the process when jobs have used up the time to drain. */
const LEAST_GRACE_MS = 1_000;

/** Jobs handled at the same time by the queue consumer of this process. */
const CONSUMER_CONCURRENCY = 4;

/** Threads that draw reports. */
const REPORT_WORKERS = 1;

/** The composition root: builds a gateway of its configuration. Nothing listens before `listen`. */
export async function createGateway({ config, logger, version }: GatewayOptions): Promise<Gateway> {
  const { basePath, limits } = config;
  let draining = false;

  const transport = createTransport({ timeoutMs: config.backendTimeoutMs, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const keyRing = await openKeyRing(config);
  const jobEngine = await openJobEngine(config, logger);
  const objectEngine = openObjectEngine(config, keyRing, logger);
  const { jobStore } = jobEngine;
  const { objectStore } = objectEngine;
  const { backendApi, geoApi, voipApi, tokenIssuers, sandbox } = await connectBackends(config, transport, logger);
  const renderer = createReportRenderer({
    workers: REPORT_WORKERS,
    maxTaggedPages: config.report.maxTaggedPages,
    onMissingCharacters: (jobId, counts) =>
      logger.warn(
        { jobId, characters: Object.fromEntries(counts) },
        'a report shows marks instead of characters no font has',
      ),
  });

  const jobs = createJobTable({
    backendApi,
    geoApi,
    objectStore,
    renderer,
    logger,
    mostItems: limits.bulkItems,
    mostDrivers: limits.reportDrivers,
    locale: config.report.locale,
    speedLimitKmh: config.report.speedLimitKmh,
  });
  const runner = createJobRunner({ jobStore, keyRing, logger, ...config.jobs });

  const keys = createKeySource(() => backendApi.public.getPublicKeys(), {
    maxAgeMs: config.publicKeyMaxAgeMs,
    now: Date.now,
  });
  const services = {
    backendApi,
    geoApi,
    voipApi,
    jobs,
    objectStore,
    version,
    jobStarter: createJobStarter({ submission: jobEngine.submission, keyRing }),
    jobStatus: createJobStatusReader(jobStore),
    attemptLimits: createAttemptLimits(limits, jobEngine.counters),
    allowTestOtp: config.allowTestOtp,
  };
  const graphql = createGraphQLServer({
    schema: createGatewaySchema(services),
    services,
    authentication: createAuthentication(createAuthenticate({ keys, issuers: tokenIssuers })),
    endpoint: `${basePath}/graphql`,
    limits,
    timeoutMs: config.requestTimeoutMs,
    privateSchema: config.production,
  });
  const app = createHttpApp({
    logger,
    basePath,
    graphql,
    keys,
    jobs,
    runner,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    callbackKeys: config.keys.callback,
    callbackBodyLimit: { variable: 'CALLBACK_MAX_BODY_BYTES', bytes: limits.callbackBodyBytes },
    probes: {
      'geo-api': (timeoutMs) => geoApi.getHealth(timeoutMs),
      'backend-api': (timeoutMs) => backendApi.public.getHealth(timeoutMs),
      'voip-api': (timeoutMs) => voipApi.getHealth(timeoutMs),
    },
    isDraining: () => draining,
    signedObjects: objectEngine.signedObjects,
    playground: config.production ? undefined : { login: sandbox?.accounts.find(({ otp }) => !otp) },
  });

  const answer = app.callback();
  const listener = createHttpListener((request, response) => void answer(request, response), {
    ...config.listen,
    requestTimeoutMs: config.requestTimeoutMs,
  });
  const deliveryTransport = createDeliveryTransport(config.jobs.deadlineMs);
  const stopping = new AbortController();
  let consumer: QueueConsumer | undefined;

  function startConsumer(gatewayUrl: string): QueueConsumer {
    const deliver = createDeliver({
      gatewayUrl,
      keyRing,
      logger,
      apiKey: config.keys.callback[0],
      deadlineMs: config.jobs.deadlineMs,
      transport: deliveryTransport,
      stopping: stopping.signal,
    });
    return consumeJobs({ queue: jobEngine.queue, jobStore, deliver, concurrency: CONSUMER_CONCURRENCY, logger });
  }

  async function stopConsuming(drainMs: number): Promise<void> {
    if (consumer !== undefined) await endDeliveries(consumer, stopping, drainMs);
  }

  return {
    sandbox,

    async listen() {
      // Before the first connection stands, requests would be refused.
      await jobEngine.ready();
      await listener.listen();
      const gatewayUrl = config.gatewayUrl ?? `${listener.ownUrl}${basePath}`;
      // With a shared queue, production has queue functions of its own.
      if (jobEngine.embedded || !config.production) consumer = startConsumer(gatewayUrl);
      renderer.warm().catch((err: unknown) => {
        // A gateway that is stopped while it warms up has lost nothing.
        if (!draining) logger.warn({ err }, 'report fonts not loaded ahead');
      });
      return gatewayUrl;
    },

    async close() {
      draining = true;
      const { delayMs, drainMs } = config.shutdown;
      const drainedBy = performance.now() + delayMs + drainMs;
      return runShutdown(
        [
          { name: 'let load balancers notice', run: () => delay(delayMs) },
          // Deliveries in hand wait for their callbacks, so both end together.
          { name: 'jobs', run: () => Promise.all([stopConsuming(drainMs), runner.drain(drainMs)]) },
          { name: 'connections', run: () => listener.close(Math.max(LEAST_GRACE_MS, drainedBy - performance.now())) },
          { name: 'report renderer', run: () => renderer.close() },
          { name: 'callback connections', run: () => deliveryTransport.close() },
          { name: 'backend connections', run: () => transport.close() },
          { name: 'object store', run: () => objectEngine.close() },
          { name: 'job store and queue', run: () => jobEngine.close() },
          { name: 'sandbox', run: async () => sandbox?.close() },
        ],
        logger,
      );
    },
  };
}
