import type { CacheMap } from 'dataloader';
import type { Point } from '../clients/geo-api.js';

/** What was loaded for a point, and for others of the same latitude, of which there are hardly ever any. */
interface Loaded<T> {
  readonly lng: number;
  readonly value: T;
  readonly next: Loaded<T> | undefined;
}

/**
 * What was loaded for points, equal ones together. To make a text of each, as the key of a `Map`, takes longer than all
 * else that a loader does, and a `Map` for each latitude takes a tenth of the memory of a page.
 */
export class LoadedPoints<T> implements CacheMap<Point, T> {
  readonly #byLatitude = new Map<number, Loaded<T>>();

  get({ lat, lng }: Point): T | undefined {
    let loaded = this.#byLatitude.get(lat);
    while (loaded !== undefined && loaded.lng !== lng) loaded = loaded.next;
    return loaded?.value;
  }

  set({ lat, lng }: Point, value: T): void {
    this.#byLatitude.set(lat, { lng, value, next: this.#byLatitude.get(lat) });
  }

  /** Also those of the same latitude, which are loaded again if need be. */
  delete({ lat }: Point): void {
    this.#byLatitude.delete(lat);
  }

  clear(): void {
    this.#byLatitude.clear();
  }
}
