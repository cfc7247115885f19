import type { RequestObserver } from '../../http/request-observer.js';
import type { MetricSet } from './metric-set.js';
import { timing } from './timing.js';

/** Methods by their names; all others count as one (OpenTelemetry semantic conventions, `http.request.method`). */
const METHODS: ReadonlySet<string> = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '));
const OTHER_METHOD = '_OTHER';

/** Measures HTTP requests. */
export function requestMetrics(metrics: MetricSet): RequestObserver {
  const durations = metrics.histogram('http_server_request_duration_seconds');
  let active = 0;
  const shown = metrics.gauge('http_server_active_requests');
  metrics.readAtScrape(() => shown.set(active));
  return timing(
    ({ method }, { route = '', status }, seconds) => {
      active -= 1;
      durations.observe(seconds, {
        http_request_method: METHODS.has(method) ? method : OTHER_METHOD,
        http_route: route,
        http_response_status_code: status,
      });
    },
    () => {
      active += 1;
    },
  );
}

/** Statuses that are answered before any route sees the request. */
const REFUSALS = ['400', '408', '413', '417', '431'].map((status) => ({ http_response_status_code: status }));

/** Counts requests that are no HTTP, or too large or late for it. */
export function refusedRequestMetrics(metrics: MetricSet): (status: number) => void {
  const refused = metrics.counter('gateway_http_requests_refused_total', REFUSALS);
  return (status) => refused.count({ http_response_status_code: status });
}
