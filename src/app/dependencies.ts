import { statfs } from 'node:fs/promises';
import type { Backends } from '../clients/connect-backends.js';
import type { JobEngine, StorageUse } from '../engines/job-engine.js';
import { DependencyChecks } from '../http/dependency-checks.js';
import type { Logger } from '../logging/logger.js';
import type { ObjectEngine } from '../objects/open-object-engine.js';
import type { GatewayMetrics } from '../telemetry/metrics/program-metrics.js';

/** Dependencies of a gateway, and the metrics that show their state. */
export interface Dependencies {
  readonly backends: Backends;
  readonly jobEngine: JobEngine;
  readonly objectEngine: ObjectEngine;
  /** Time for which all callers share the results of one round of checks, in milliseconds. */
  readonly sharedMs: number;
  /** Time limit of each check, in milliseconds; 800 by default. */
  readonly probeTimeoutMs: number | undefined;
  /** Directory of jobs or reports; undefined if neither is on this machine. */
  readonly dataDir: string | undefined;
  readonly metrics: GatewayMetrics | undefined;
  readonly logger: Logger;
}

/** Creates the checks for readiness, and connects metrics to the same checks. */
export function watchDependencies(options: Dependencies): DependencyChecks {
  const { backends, jobEngine, objectEngine, sharedMs, probeTimeoutMs, dataDir, metrics, logger } = options;
  const { backendApi, geoApi, voipApi } = backends;
  const checks = new DependencyChecks({
    probes: {
      'geo-api': (timeoutMs) => geoApi.getHealth(timeoutMs),
      'backend-api': (timeoutMs) => backendApi.public.getHealth(timeoutMs),
      'voip-api': (timeoutMs) => voipApi.getHealth(timeoutMs),
    },
    storeProbes: {
      'job-store': jobEngine.probes.jobStore,
      queue: jobEngine.probes.queue,
      'object-store': objectEngine.probe,
    },
    sharedMs,
    probeTimeoutMs,
  });
  metrics?.readQueue(() => jobEngine.queue.load());
  metrics?.readBackends(() => backends.standing());
  metrics?.readDependencies(async () => {
    const { Items, Stores } = await checks.findings(logger);
    const findings = Object.entries({ ...Items, ...Stores });
    return Object.fromEntries(findings.map(([name, status]) => [name, status === 'OK']));
  });
  metrics?.readStorage({
    ...(jobEngine.memory && { redis: jobEngine.memory }),
    ...(dataDir !== undefined && { 'data-dir': () => diskUse(dataDir) }),
  });
  return checks;
}

/** Reads how much of the disk is used, reserved blocks left out of the limit, as `df` does. */
async function diskUse(directory: string): Promise<StorageUse> {
  const { blocks, bfree, bavail, bsize } = await statfs(directory);
  const used = (blocks - bfree) * bsize;
  return { used, limit: used + bavail * bsize };
}
