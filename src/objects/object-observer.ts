import { observed, type Observer } from '../observation.js';
import type { ObjectStore } from './object-store.js';

/** Observed operation of an object store. */
export type ObjectOperation = 'put' | 'downloadUrl' | 'ping';

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
