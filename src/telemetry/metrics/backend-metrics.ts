import type { BackendStanding } from '../../clients/backend.js';
import type { CallObserver } from '../../clients/call-observer.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

/** Measures the calls of backends. */
export function callMetrics(metrics: MetricSet): CallObserver {
  const durations = metrics.histogram('gateway_backend_call_duration_seconds');
  return timing(({ backend, call }, { outcome }, seconds) => durations.observe(seconds, { backend, call, outcome }));
}

/** Has circuits and connections read at each scrape. */
export function backendStandingMetrics(metrics: MetricSet, standing: () => readonly BackendStanding[]): void {
  const open = metrics.gauge('gateway_circuit_open');
  const parties = metrics.gauge('gateway_circuit_open_parties');
  const inUse = metrics.gauge('gateway_backend_connections_in_use');
  const max = metrics.gauge('gateway_backend_connections_max');
  const waiting = metrics.gauge('gateway_backend_calls_waiting');
  const refused = metrics.gauge('gateway_backend_key_refused');
  metrics.readAtScrape(() => {
    for (const { backend, circuits, connections, key } of standing()) {
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
