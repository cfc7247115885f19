import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackendWaits } from '../../clients/connections.js';
import { CallError } from '../../clients/call-error.js';
import { connectBackends, type Backends } from '../../clients/connect-backends.js';
import type { BackendUrls, Config } from '../../base/config/config.js';
import { certificateRemedy } from '../../base/connection-faults.js';
import { describeError } from '../../base/errors.js';
import { createLogger, type Logger } from '../../base/logging/logger.js';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.js';
import type { Watchers } from '../telemetry/watchers.js';
import type { Findings, JobEngine, StorageUse } from '../../jobs/engines/job-engine.js';
import {
  dependencyChecks,
  type DependencyChecksOptions,
  type FindDependencies,
} from '../../gateway/http/dependency-checks.js';
import type { ReportStore } from '../../objects/object-store.js';
import type { GatewayMetrics } from '../telemetry/metrics/program-metrics.js';

export async function openBackends(
  config: Config,
  { logger, observer, tracing }: Watchers,
  waits: BackendWaits,
  sandboxOptions: Partial<SandboxOptions> | undefined,
): Promise<{ readonly backends: Backends; readonly sandbox: Sandbox | undefined }> {
  const { urls, sandbox } = await findBackends(config, logger, sandboxOptions);
  const backends = connectBackends({
    urls,
    keys: config.keys,
    backendTimeoutMs: config.backendTimeoutMs,
    ...waits,
    logger,
    observer,
    currentTrace: tracing.currentTrace,
  });
  return { backends, sandbox };
}

/**
 * Sends harmless calls to each backend: to backend-api one with the service key, and two for a mobile that does not
 * exist.
 *
 * @returns a fault for a refused key, and for each URL that no such backend answers; a doubt for each refusal that will
 * not count as one
 */
export async function findBackendFindings(config: Config): Promise<Findings> {
  if (config.backends.kind !== 'urls') return { faults: [], doubts: [] };
  const logger = createLogger({ level: 'silent' });
  const shared = { backendTimeoutMs: config.backendTimeoutMs, logger };
  const backends = connectBackends({ urls: config.backends, keys: config.keys, ...shared });
  try {
    const caller = { kind: 'user' } as const;
    const asked = [
      ['BACKEND_API_URL', 'backend-api', () => backends.backendApi.acceptsKey()],
      ['GEO_API_URL', 'geo-api', () => backends.geoApi.reverseGeocode([{ lat: 0, lng: 0 }], caller)],
      ['VOIP_API_URL', 'voip-api', () => backends.voipApi.getPresence([1], caller)],
    ] as const;
    const doubts = findFormDoubts(backends.backendApi);
    const faults = await Promise.all(
      asked.map(async ([variable, name, ask]) => {
        try {
          const refused = (await ask()) === false;
          return refused ? ['backend-api refuses BACKEND_API_KEY. Correct it, or have backend-api accept it.'] : [];
        } catch (error) {
          const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
          const remedy = certificateRemedy(cause);
          return [
            `${variable} leads to nothing that answers as ${name} does: ${describeError(cause).replace(/\.$/, '')}.` +
              (remedy === undefined ? '' : ` ${remedy}`),
          ];
        }
      }),
    );
    return { faults: faults.flat(), doubts: await doubts };
  } finally {
    await backends.close();
  }
}

const NO_MOBILE = 0;

/** Returns a line for a user's call and for a job's call that are refused in a form that the contract does not have. */
async function findFormDoubts(backendApi: Backends['backendApi']): Promise<readonly string[]> {
  const asked = [
    ['user', () => backendApi.asUser({ authorization: 'Bearer none', org: undefined }).getMobile(NO_MOBILE)],
    ['job', () => backendApi.asService({ org: undefined }).getMobile(String(NO_MOBILE))],
  ] as const;
  const doubts = asked.map(async ([caller, ask]) => {
    const error = await ask().catch((thrown: unknown) => thrown);
    if (!(error instanceof CallError) || error.details.sender === undefined) return [];
    const { httpStatus, sender } = error.details;
    return [
      `backend-api, or something in front of it, refuses the call of a ${caller} with ${httpStatus} (content type ` +
        `${sender.contentType}, server ${sender.server}), which is not the form of openapi/backend-api.yaml. Such ` +
        'an answer counts as an outage. Have it answer with JSON and a message.',
    ];
  });
  return (await Promise.all(doubts)).flat();
}

/** Loads the sandbox only if used, and never in production. */
async function findBackends(
  config: Config,
  logger: Logger,
  sandboxOptions: Partial<SandboxOptions> | undefined,
): Promise<{ readonly urls: BackendUrls; readonly sandbox: Sandbox | undefined }> {
  if (config.backends.kind === 'urls') return { urls: config.backends, sandbox: undefined };
  const { startSandbox, keptSigningKey } = await import('../../sandbox/sandbox.js');
  const { backendApi, geoApi, voipApi } = config.keys;
  const sandbox = await startSandbox({
    logger: logger.child({ part: 'sandbox' }),
    backendApiKey: backendApi[0],
    // A gateway that restarts keeps its sessions.
    signingKey: sandboxOptions?.signingKey ?? (await keptSigningKey(join(config.dataDir, 'sandbox-signing-key'))),
    ...sandboxOptions,
    ...(geoApi !== undefined && { geoApiKey: geoApi }),
    ...(voipApi !== undefined && { voipApiKey: voipApi }),
  });
  const urls = { backendApi: sandbox.backendApiUrl, geoApi: sandbox.geoApiUrl, voipApi: sandbox.voipApiUrl };
  return { urls, sandbox };
}

/** Dependencies of a gateway, and the metrics that show their state. */
interface Dependencies extends Pick<DependencyChecksOptions, 'sharedMs' | 'probeTimeoutMs'> {
  readonly backends: Backends;
  readonly jobEngine: JobEngine;
  readonly reportStore: ReportStore;
  /** Directory of jobs or reports; undefined if neither is on this machine. */
  readonly dataDir: string | undefined;
  readonly metrics: GatewayMetrics | undefined;
  readonly logger: Logger;
}

/** Creates the checks for readiness, and connects metrics to the same checks. */
export function watchDependencies(options: Dependencies): FindDependencies {
  const { backends, jobEngine, reportStore, sharedMs, probeTimeoutMs, dataDir, metrics, logger } = options;
  const { backendApi, geoApi, voipApi } = backends;
  const { jobStore, queue } = jobEngine.probes;
  const findDependencies = dependencyChecks({
    probes: {
      'geo-api': (timeoutMs) => geoApi.getHealth(timeoutMs),
      'backend-api': (timeoutMs) => backendApi.public.getHealth(timeoutMs),
      'voip-api': (timeoutMs) => voipApi.getHealth(timeoutMs),
    },
    storeProbes: { 'job-store': jobStore, queue, 'object-store': reportStore.probe },
    sharedMs,
    probeTimeoutMs,
  });
  metrics?.readQueue(() => jobEngine.queue.load());
  metrics?.readMark(() => jobEngine.mark());
  metrics?.readBackends(() => backends.status());
  metrics?.readDependencies(async () => {
    const { Items, Stores } = await findDependencies(logger);
    const findings = Object.entries({ ...Items, ...Stores });
    return Object.fromEntries(findings.map(([name, status]) => [name, status === 'OK']));
  });
  metrics?.readStorage({
    ...(jobEngine.memory && { redis: jobEngine.memory }),
    ...(dataDir !== undefined && { 'data-dir': () => diskUse(dataDir) }),
  });
  return findDependencies;
}

/** Reads how much of the disk is used. The limit excludes reserved blocks, like that of `df`. */
async function diskUse(directory: string): Promise<StorageUse> {
  const { blocks, bfree, bavail, bsize } = await statfs(directory);
  const used = (blocks - bfree) * bsize;
  return { used, limit: used + bavail * bsize };
}
