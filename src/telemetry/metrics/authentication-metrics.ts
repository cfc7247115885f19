import type {
  AuthenticationObserver,
  AuthenticationOutcome,
  KeyFetchObserver,
} from '../../auth/authentication-observer.js';
import type { KeyGeneration, OnKeyUsed, RotatedKey } from '../../config/key-use.js';
import type { Observation } from '../../observation.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

const OUTCOMES = [
  'authenticated',
  'no_token',
  'invalid_token',
  'unavailable',
] as const satisfies readonly AuthenticationOutcome[];
const KEYS = ['callback', 'signing', 'encryption'] as const satisfies readonly RotatedKey[];
const GENERATIONS = ['current', 'previous'] as const satisfies readonly KeyGeneration[];

/** Counts authentications. */
export function authenticationMetrics(metrics: MetricSet): AuthenticationObserver {
  const authentications = metrics.counter(
    'gateway_authentications_total',
    OUTCOMES.map((outcome) => ({ outcome })),
  );
  // Nothing is timed, so one observation is as good as another.
  const observation: Observation<AuthenticationOutcome> = {
    within: (work) => work(),
    finish: (outcome) => authentications.count({ outcome }),
  };
  return { started: () => observation };
}

/** Measures how the public keys are fetched. */
export function keyFetchMetrics(metrics: MetricSet): KeyFetchObserver {
  const durations = metrics.histogram('gateway_key_fetch_duration_seconds');
  const failures = metrics.counter('gateway_key_fetch_failures_total');
  return timing((_start, outcome, seconds) => {
    durations.observe(seconds);
    if (outcome === 'failed') failures.add(1);
  });
}

/** Counts which of two keys was of use. */
export function keyUseMetrics(metrics: MetricSet): OnKeyUsed {
  const uses = metrics.counter(
    'gateway_key_uses_total',
    KEYS.flatMap((key) => GENERATIONS.map((generation) => ({ key, generation }))),
  );
  return (key, generation) => uses.count({ key, generation });
}
