import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAuthentication } from './auth/authentication-plugin.js';
import { createAuthenticate } from './auth/bearer-token.js';
import { createKeySource } from './auth/public-keys.js';
import { connectBackends } from './backends.js';
import { createTransport } from './clients/transport.js';
import type { Config } from './config.js';
import { openEngines } from './engines.js';
import { createAttemptLimits, memoryCounters } from './graphql/attempt-limits.js';
import { createGatewaySchema } from './graphql/schema.js';
import { createGraphQLServer } from './graphql/server.js';
import { createHttpApp } from './http/http-app.js';
import { createJobRunner } from './jobs/job-runner.js';
import { createJobStarter } from './jobs/job-start.js';
import { createJobStatusReader } from './jobs/job-status.js';
import { createJobTable } from './jobs/job-table.js';
import type { Logger } from './logger.js';
import type { QueueConsumer } from './queue/job-queue.js';
import { consumeJobs } from './queue-function/consume-jobs.js';
import { createDeliver } from './queue-function/deliver.js';
import { createReportRenderer } from './reports/render.js';
import type { Sandbox } from './sandbox/sandbox.js';
import { runShutdown } from './shutdown.js';

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

/** Connections are kept for longer than load balancers usually keep them, so that these close first. */
const KEEP_ALIVE_MS = 65_000;

/** Jobs handled at the same time by the queue consumer of this process. */
const CONSUMER_CONCURRENCY = 4;

/** Threads that draw reports. */
const REPORT_WORKERS = 1;

/** The composition root: builds a gateway of its configuration. Nothing listens before `listen`. */
export async function createGateway({ config, logger, version }: GatewayOptions): Promise<Gateway> {
  const { basePath, limits } = config;
  let draining = false;

  const transport = createTransport({ timeoutMs: config.backendTimeoutMs, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  const engines = await openEngines(config, logger);
  const { keyRing, jobStore, objectStore } = engines;
  const { backendApi, geoApi, voipApi, tokenIssuers, sandbox } = await connectBackends(config, transport, logger);
  const renderer = createReportRenderer({ workers: REPORT_WORKERS });

  const jobs = createJobTable({
    backendApi, geoApi, objectStore, renderer, logger,
    mostItems: limits.bulkItems,
    mostDrivers: limits.reportDrivers,
    ...config.report,
  });
  const runner = createJobRunner({ jobStore, keyRing, logger, ...config.jobs });

  const keys = createKeySource(() => backendApi.public.getPublicKeys(), {
    maxAgeMs: config.publicKeyMaxAgeMs,
    now: Date.now,
  });
  const services = {
    backendApi, geoApi, voipApi, jobs, objectStore, version,
    jobStarter: createJobStarter({ submission: engines.submission, keyRing }),
    jobStatus: createJobStatusReader(jobStore),
    attemptLimits: createAttemptLimits(limits, memoryCounters),
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
    logger, basePath, graphql, keys, jobs, runner,
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
    signedObjects: engines.signedObjects,
    playground: config.production ? undefined : { login: sandbox?.accounts.find(({ otp }) => !otp) },
  });

  const server = createServer(app.callback());
  server.requestTimeout = config.requestTimeoutMs;
  server.headersTimeout = config.requestTimeoutMs;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  let consumer: QueueConsumer | undefined;

  return {
    sandbox,

    async listen() {
      const { host, port } = config.listen;
      server.listen(port, host);
      await once(server, 'listening');
      const gatewayUrl = config.gatewayUrl ?? ownUrl(server, host, basePath);
      consumer = consumeJobs({
        queue: engines.queue,
        jobStore,
        deliver: createDeliver({
          gatewayUrl, keyRing, logger, apiKey: config.keys.callback[0], deadlineMs: config.jobs.deadlineMs,
        }),
        concurrency: CONSUMER_CONCURRENCY,
        logger,
      });
      renderer.warm().catch((err: unknown) => logger.warn({ err }, 'report fonts not loaded ahead'));
      return gatewayUrl;
    },

    async close() {
      draining = true;
      const { delayMs, drainMs } = config.shutdown;
      return runShutdown([
        { name: 'let load balancers notice', run: () => delay(delayMs) },
        // Deliveries in hand wait for their callbacks, so both end together.
        { name: 'jobs', run: () => Promise.all([consumer?.close(), runner.drain(drainMs)]) },
        { name: 'connections', run: () => closeServer(server, drainMs) },
        { name: 'report renderer', run: () => renderer.close() },
        { name: 'backend connections', run: () => transport.close() },
        { name: 'stores', run: () => engines.close() },
        { name: 'sandbox', run: async () => sandbox?.close() },
      ], logger);
    },
  };
}

/** URL under which this process reaches itself. */
function ownUrl(server: Server, host: string, basePath: string): string {
  const { port } = server.address() as AddressInfo; // a TCP server that listens has such an address
  const anyAddress = ['0.0.0.0', '::', 'localhost'].includes(host);
  const reachable = anyAddress ? '127.0.0.1' : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${reachable}:${port}${basePath}`;
}

/** Lets replies under way end; after `graceMs` the connections are cut. */
async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
