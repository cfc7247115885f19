import DataLoader, { type CacheMap } from 'dataloader';
import type { AuthUser } from '../auth/auth-user.js';
import type { BackendApi, Tag, UserCalls } from '../clients/backend-api.js';
import type { Caller } from '../clients/caller.js';
import type { GeoApi, Point } from '../clients/geo-api.js';
import type { Presence, VoipApi } from '../clients/voip-api.js';
import { GatewayError, ServiceUnavailableError } from '../errors.js';
import type { Logger } from '../logging/logger.js';
import type { CutOff } from './cut-off.js';

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
class LoadedPoints<T> implements CacheMap<Point, T> {
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
   * Turns the failure of a dependency into null, but the first one of each dependency is thrown, and the first of
   * each refusal, so that an operation has one error per backend and not one per mobile.
   */
  orNullOnce<T>(value: Promise<T>): Promise<T | null>;
}

/** What the loaders call. */
export interface LoaderSources {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly voipApi: VoipApi;
}

/** What the loaders read of the context of their operation. */
export interface LoaderContext {
  /** The caller's own `Authorization` header, for backend-api alone. */
  readonly authorization: string | null;
  /** There once the caller has been authenticated, which is before anything is loaded. */
  readonly auth_user?: AuthUser | null;
  /** Of the request. */
  readonly log: Logger;
  /** Cuts every call off. */
  readonly cutOff: CutOff;
}

/** Loaders of one operation. Most operations use few of them, so each is made when it is asked for. */
export class OperationLoaders implements Loaders {
  readonly #sources: LoaderSources;
  readonly #context: LoaderContext;
  #reported: Set<unknown> | undefined;
  #orNull: ((error: unknown) => null) | undefined;
  #user: Loaders['user'] | undefined;
  #tag: Loaders['tag'] | undefined;
  #address: Loaders['address'] | undefined;
  #presence: Loaders['presence'] | undefined;

  /** @param context of the operation; looked at when something is loaded */
  constructor(sources: LoaderSources, context: LoaderContext) {
    this.#sources = sources;
    this.#context = context;
  }

  get user(): Loaders['user'] {
    const { authorization, auth_user: user, cutOff, log } = this.#context;
    return (this.#user ??= this.#sources.backendApi.asUser({
      authorization: authorization ?? '',
      org: user?.Org,
      signal: cutOff.signal,
      log,
    }));
  }

  get tag(): Loaders['tag'] {
    return (this.#tag ??= new DataLoader(async (ids) => {
      const tags = new Map((await this.user.listTags()).map((tag) => [tag.id, tag]));
      return ids.map((id) => tags.get(id));
    }));
  }

  get address(): Loaders['address'] {
    const { geoApi } = this.#sources;
    return (this.#address ??= new DataLoader<Point, string | null>(
      (points) => geoApi.reverseGeocode(points, this.#caller()),
      { cacheMap: new LoadedPoints() },
    ));
  }

  get presence(): Loaders['presence'] {
    return (this.#presence ??= new DataLoader(async (ids) => {
      const items = await this.#sources.voipApi.getPresence(ids, this.#caller());
      const presences = new Map(items.map((presence) => [presence.mobileId, presence]));
      return ids.map((id) => presences.get(id));
    }));
  }

  orNullOnce<T>(value: Promise<T>): Promise<T | null> {
    // One function for all values: a page has a hundred of them.
    this.#orNull ??= (error) => this.#nullOnce(error);
    return value.catch(this.#orNull);
  }

  #nullOnce(error: unknown): null {
    if (!(error instanceof GatewayError)) throw error;
    // Everything that was asked for together fails with the same error.
    const fault = error instanceof ServiceUnavailableError ? error.dependency : error;
    this.#reported ??= new Set();
    if (this.#reported.has(fault)) return null;
    this.#reported.add(fault);
    throw error;
  }

  #caller(): Caller {
    const { auth_user: user, cutOff, log } = this.#context;
    return { kind: 'user', org: user?.Org, signal: cutOff.signal, log };
  }
}
