import { observed, type Observer } from '../observation.js';
import type { ObjectStore } from './object-store.js';

/** Observed operations of an object store. */
export const OBJECT_OPERATIONS = ['put', 'downloadUrl', 'ping'] as const;
export type ObjectOperation = (typeof OBJECT_OPERATIONS)[number];

/** Observes the operations of an object store. */
export type ObjectObserver = Observer<ObjectOperation, 'ok' | 'failed'>;

/** Returns the same store, with an observer. */
export function watchedObjectStore(store: ObjectStore, observer: ObjectObserver): ObjectStore {
  const watched = <T>(operation: ObjectOperation, work: () => Promise<T>): Promise<T> =>
    observed(observer.started(operation), work, (settled) => ('error' in settled ? 'failed' : 'ok'));
  return {
    put: (key, body, options) => watched('put', () => store.put(key, body, options)),
    downloadUrl: (key, options) => watched('downloadUrl', () => store.downloadUrl(key, options)),
    ping: () => watched('ping', () => store.ping()),
  };
}
