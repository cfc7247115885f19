import DataLoader from 'dataloader';
import type { BackendApi, Tag, UserCalls } from '../clients/backend-api.js';
import type { GeoApi, Point } from '../clients/geo-api.js';
import type { Presence, VoipApi } from '../clients/voip-api.js';
import { ServiceUnavailableError } from '../errors.js';

/** Batched, per-request access to the backends. */
export interface Loaders {
  /** backend-api with the caller's own token. */
  readonly user: UserCalls;
  /** The tag with this id; undefined when there is none. One call for any number of tags. */
  readonly tag: DataLoader<number, Tag | undefined>;
  /** The address of a point; one call to geo-api for all points asked for together. */
  readonly address: DataLoader<Point, string | null, string>;
  /** Voice presence of a mobile; one call to voip-api for all mobiles asked for together. */
  readonly presence: DataLoader<number, Presence | undefined>;
  /**
   * Turns the failure of a dependency into null, but the first one of each dependency is thrown, so that an
   * operation has one error per backend and not one per mobile.
   */
  orNullOnce<T>(value: Promise<T>): Promise<T | null>;
}

/** What the loaders call. */
export interface LoaderSources {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly voipApi: VoipApi;
}

/**
 * Loaders of one operation.
 *
 * @param authorization the caller's own header, for backend-api alone
 * @param signal cuts every call off
 */
export function createLoaders(
  { backendApi, geoApi, voipApi }: LoaderSources,
  authorization: string,
  signal: AbortSignal,
): Loaders {
  const user = backendApi.asUser(authorization, signal);
  const reported = new Set<string>();
  return {
    user,
    tag: new DataLoader(async (ids) => {
      const tags = new Map((await user.listTags()).map((tag) => [tag.id, tag]));
      return ids.map((id) => tags.get(id));
    }),
    address: new DataLoader<Point, string | null, string>((points) => geoApi.reverseGeocode(points, signal), {
      cacheKeyFn: ({ lat, lng }) => `${lat},${lng}`,
    }),
    presence: new DataLoader(async (ids) => {
      const items = await voipApi.getPresence(ids, signal);
      const presences = new Map(items.map((presence) => [presence.mobileId, presence]));
      return ids.map((id) => presences.get(id));
    }),
    async orNullOnce(value) {
      try {
        return await value;
      } catch (error) {
        if (!(error instanceof ServiceUnavailableError)) throw error;
        if (reported.has(error.dependency)) return null;
        reported.add(error.dependency);
        throw error;
      }
    },
  };
}
