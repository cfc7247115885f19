import type { AuthenticationObserver, KeyFetchObserver } from '../auth/authentication-observer.js';
import type { CallObserver } from '../clients/call-errors.js';
import type { OperationObserver } from '../graphql/operation-notes.js';
import type { RequestObserver } from '../http/request-log.js';
import type { DeliveryObserver } from '../job-record/delivery-observer.js';
import type { StoreObserver } from '../job-record/store-observer.js';
import type { ItemObserver, JobObserver } from '../jobs/job-observer.js';
import type { ObjectObserver } from '../objects/object-store.js';
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
  const names = Object.keys({ ...one, ...another }) as (keyof Observers)[]; // these have no others
  const combined = names.map((name) => [name, both<never, never>(one[name], another[name])]);
  return Object.fromEntries(combined) as Observers; // the same name is the same kind of observer
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
