import type { RequestObserver } from '../../http/request-observer.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

/** Methods by their names; all others count as one (OpenTelemetry semantic conventions, `http.request.method`). */
const METHODS: ReadonlySet<string> = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '));
const OTHER_METHOD = '_OTHER';

/** Measures HTTP requests. */
export function requestMetrics(metrics: MetricSet): RequestObserver {
  const durations = metrics.histogram('http_server_request_duration_seconds');
  const active = metrics.gauge('http_server_active_requests');
  return timing(
    ({ method }, { route = '', status }, seconds) => {
      active.dec();
      durations.observe(
        {
          http_request_method: METHODS.has(method) ? method : OTHER_METHOD,
          http_route: route,
          http_response_status_code: status,
        },
        seconds,
      );
    },
    () => active.inc(),
  );
}
