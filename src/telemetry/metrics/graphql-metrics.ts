import { ERROR_STATUS } from '../../errors.js';
import type { EndedOperation, OperationObserver } from '../../graphql/operation-observer.js';
import { BoundedNames } from './bounded-names.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

/** Operations that count by their names where there is no list of them. */
const MAX_OPERATIONS = 100;

/**
 * Measures GraphQL requests.
 *
 * @param persisted names of the persisted operations; undefined where any operation is taken
 */
export function operationMetrics(metrics: MetricSet, persisted: readonly string[] | undefined): OperationObserver {
  const durations = metrics.histogram('gateway_graphql_operation_duration_seconds');
  const errors = metrics.counter(
    'gateway_graphql_errors_total',
    Object.keys(ERROR_STATUS).map((code) => ({ code })),
  );
  const names = new BoundedNames(persisted ?? [], persisted === undefined ? MAX_OPERATIONS : 0);
  const operationOf = ({ type, name }: EndedOperation): string => {
    if (type === undefined) return 'none';
    return name === undefined ? 'unnamed' : names.labelOf(name);
  };
  return timing((_start, end, seconds) => {
    durations.observe(seconds, { operation: operationOf(end), outcome: outcomeOf(end) });
    for (const code of end.codes) errors.count({ code });
  });
}

function outcomeOf({ shed, codes, type }: EndedOperation): 'ok' | 'refused' | 'failed' | 'shed' {
  if (shed) return 'shed';
  if (codes.some((code) => ERROR_STATUS[code] >= 500)) return 'failed';
  return codes.length > 0 || type === undefined ? 'refused' : 'ok';
}
