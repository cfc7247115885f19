import type { AuthenticationObserver, KeyFetchObserver } from '../../auth/authentication-observer.js';
import type { OnKeyUsed } from '../../key-use.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

/** Counts authentications. */
export function authenticationMetrics(metrics: MetricSet): AuthenticationObserver {
  const authentications = metrics.counter('gateway_authentications_total');
  return timing((_start, outcome) => authentications.inc({ outcome }));
}

/** Measures how the public keys are fetched. */
export function keyFetchMetrics(metrics: MetricSet): KeyFetchObserver {
  const durations = metrics.histogram('gateway_key_fetch_duration_seconds');
  const failures = metrics.counter('gateway_key_fetch_failures_total');
  return timing((_start, outcome, seconds) => {
    durations.observe(seconds);
    if (outcome === 'failed') failures.inc();
  });
}

/** Counts which of two keys was of use. */
export function keyUseMetrics(metrics: MetricSet): OnKeyUsed {
  const uses = metrics.counter('gateway_key_uses_total');
  return (key, generation) => uses.inc({ key, generation });
}
