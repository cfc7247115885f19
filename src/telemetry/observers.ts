import type { AuthenticationObserver, KeyFetchObserver } from '../auth/authentication-observer.js';
import type { CallObserver } from '../clients/call-observer.js';
import type { OperationObserver } from '../graphql/operation-observer.js';
import type { RequestObserver } from '../http/request-observer.js';
import type { DeliveryObserver } from '../job-record/delivery-observer.js';
import type { StoreObserver } from '../job-record/store-observer.js';
import type { ItemObserver } from '../jobs/item-observer.js';
import type { JobObserver } from '../jobs/job-observer.js';
import type { ObjectObserver } from '../objects/object-observer.js';
import type { Observation, Observer } from '../observation.js';
import type { ReportObserver } from '../reports/model.js';

/** Observers of a program by part; absent parts are not observed. */
export interface Observers {
  readonly requests?: RequestObserver | undefined;
  readonly operations?: OperationObserver | undefined;
  readonly authentications?: AuthenticationObserver | undefined;
  readonly keyFetches?: KeyFetchObserver | undefined;
  readonly calls?: CallObserver | undefined;
  readonly jobs?: JobObserver | undefined;
  readonly items?: ItemObserver | undefined;
  readonly deliveries?: DeliveryObserver | undefined;
  readonly reports?: ReportObserver | undefined;
  readonly jobStore?: StoreObserver | undefined;
  readonly objects?: ObjectObserver | undefined;
}

/** Combines two sets of observers. Within an observation, the first is the outer one. */
export function together(one: Observers, another: Observers): Observers {
  return {
    requests: both(one.requests, another.requests),
    operations: both(one.operations, another.operations),
    authentications: both(one.authentications, another.authentications),
    keyFetches: both(one.keyFetches, another.keyFetches),
    calls: both(one.calls, another.calls),
    jobs: both(one.jobs, another.jobs),
    items: both(one.items, another.items),
    deliveries: both(one.deliveries, another.deliveries),
    reports: both(one.reports, another.reports),
    jobStore: both(one.jobStore, another.jobStore),
    objects: both(one.objects, another.objects),
  };
}

function both<Start, End>(
  one: Observer<Start, End> | undefined,
  another: Observer<Start, End> | undefined,
): Observer<Start, End> | undefined {
  if (one === undefined || another === undefined) return one ?? another;
  return {
    started(start): Observation<End> {
      const [outer, inner] = [one.started(start), another.started(start)];
      return {
        within: (work) => outer.within(() => inner.within(work)),
        finish(end) {
          inner.finish(end);
          outer.finish(end);
        },
      };
    },
  };
}
