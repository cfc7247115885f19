import type { Observers } from '../observers.js';
import * as jobs from './job-spans.js';
import * as requests from './request-spans.js';
import type { Spans } from './spans.js';
import * as stores from './store-spans.js';

/**
 * Watches everything for traces. A trace begins with a request or a delivery; what belongs to neither, such as sweeps
 * and health checks, has none.
 *
 * @param database name of the job store's, as the semantic conventions have it
 */
export function tracedObservers(spans: Spans, database: string): Observers {
  return {
    requests: { started: (request) => requests.request(spans, request) },
    operations: { started: () => requests.operation(spans) },
    calls: { started: (call) => requests.call(spans, call) },
    jobs: { started: (run) => jobs.run(spans, run) },
    items: { started: (item) => jobs.item(spans, item) },
    deliveries: { started: (delivery) => jobs.delivery(spans, delivery) },
    reports: { started: (report) => jobs.report(spans, report) },
    jobStore: { started: (operation) => stores.jobStore(spans, operation, database) },
    objects: { started: (operation) => stores.objects(spans, operation) },
  };
}
