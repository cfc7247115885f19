import type { CacheMap } from 'dataloader';
import type { Point } from '../clients/geo-api.js';

/**
 * What was loaded for points, equal ones together. To make a text of each, as the key of a `Map`, takes longer than all
 * else that a loader does.
 */
export class LoadedPoints<T> implements CacheMap<Point, T> {
  readonly #byLatitude = new Map<number, Map<number, T>>();

  get({ lat, lng }: Point): T | undefined {
    return this.#byLatitude.get(lat)?.get(lng);
  }

  set({ lat, lng }: Point, value: T): void {
    const known = this.#byLatitude.get(lat);
    if (known === undefined) this.#byLatitude.set(lat, new Map([[lng, value]]));
    else known.set(lng, value);
  }

  delete({ lat, lng }: Point): void {
    this.#byLatitude.get(lat)?.delete(lng);
  }

  clear(): void {
    this.#byLatitude.clear();
  }
}
