import type { Backends } from '../clients/connect-backends.js';
import type { JobEngine } from '../engines/job-engine.js';
import { DependencyChecks } from '../http/dependency-checks.js';
import type { Logger } from '../logging/logger.js';
import type { ObjectEngine } from '../objects/open-object-engine.js';
import type { GatewayMetrics } from '../telemetry/metrics/program-metrics.js';

/** What a gateway depends on, and who measures how it stands. */
export interface Dependencies {
  readonly backends: Backends;
  readonly jobEngine: JobEngine;
  readonly objectEngine: ObjectEngine;
  /** How long everybody is answered with what the checks for the first who asked have found, in milliseconds. */
  readonly sharedMs: number;
  /** Longest wait for each of them, in milliseconds; 800 by default. */
  readonly probeTimeoutMs: number | undefined;
  readonly metrics: GatewayMetrics | undefined;
  readonly logger: Logger;
}

/** Puts together what readiness asks, and lets metrics show the same. */
export function watchDependencies(options: Dependencies): DependencyChecks {
  const { backends, jobEngine, objectEngine, sharedMs, probeTimeoutMs, metrics, logger } = options;
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
  return checks;
}
