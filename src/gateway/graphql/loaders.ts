import DataLoader from 'dataloader';
import type { AuthUser } from '../auth/auth-user.js';
import type { BackendApi, Tag, UserCalls } from '../../clients/backend-api.js';
import type { Caller } from '../../clients/caller.js';
import type { GeoApi, GeoPoint, Presence, VoipApi } from '../../clients/geo-and-voip-api.js';
import { GatewayError, ServiceUnavailableError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import type { CutOff } from './cut-off.js';

/** Batched, per-request access to the backends. */
export type Loaders = Pick<OperationLoaders, 'user' | 'tag' | 'address' | 'presence' | 'orNullOnce'>;

/** Backends of the loaders. */
export interface LoaderSources {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly voipApi: VoipApi;
}

/** Part of the operation's context that loaders read. */
interface LoaderContext {
  /** Only backend-api gets it. */
  readonly authorization: string | null;
  /** Set by authentication, before any load. */
  readonly auth_user?: AuthUser | null;
  readonly log: Logger;
  readonly cutOff: CutOff;
}

/** Loaders of one operation. Each is made on first use, because most operations use few. */
export class OperationLoaders {
  readonly #sources: LoaderSources;
  readonly #context: LoaderContext;
  #reported: Set<unknown> | undefined;
  #orNull: ((error: unknown) => null) | undefined;
  #user: UserCalls | undefined;
  #tag: DataLoader<number, Tag | undefined> | undefined;
  #address: DataLoader<GeoPoint, string | null, string> | undefined;
  #presence: DataLoader<number, Presence | undefined> | undefined;

  /** @param context read at each load */
  constructor(sources: LoaderSources, context: LoaderContext) {
    this.#sources = sources;
    this.#context = context;
  }

  /** backend-api with the caller's own token. */
  get user(): UserCalls {
    const { authorization } = this.#context;
    return (this.#user ??= this.#sources.backendApi.asUser({ ...this.#caller(), authorization: authorization ?? '' }));
  }

  /** The tag with an id; undefined if unknown. One call for any number of tags. */
  get tag(): DataLoader<number, Tag | undefined> {
    return (this.#tag ??= new DataLoader(async (ids) => {
      const tags = new Map((await this.user.listTags()).map((tag) => [tag.id, tag]));
      return ids.map((id) => tags.get(id));
    }));
  }

  /** The address of a point; one call per batch. */
  get address(): DataLoader<GeoPoint, string | null, string> {
    const { geoApi } = this.#sources;
    return (this.#address ??= new DataLoader<GeoPoint, string | null, string>(
      (points) => geoApi.reverseGeocode(points, this.#caller()),
      { cacheKeyFn: ({ lat, lng }) => `${lat},${lng}` },
    ));
  }

  /** Voice presence of a mobile; one call per batch. */
  get presence(): DataLoader<number, Presence | undefined> {
    return (this.#presence ??= new DataLoader(async (ids) => {
      const items = await this.#sources.voipApi.getPresence(ids, this.#caller());
      const presences = new Map(items.map((presence) => [presence.mobileId, presence]));
      return ids.map((id) => presences.get(id));
    }));
  }

  /**
   * Turns failures into null, except the first failure of each dependency and the first of each refusal, which it
   * throws. So an operation has one error per backend and not one per mobile.
   */
  orNullOnce<T>(value: Promise<T>): Promise<T | null> {
    // One function for all, because a page has a hundred values.
    this.#orNull ??= (error) => this.#nullOnce(error);
    return value.catch(this.#orNull);
  }

  #nullOnce(error: unknown): null {
    if (!(error instanceof GatewayError)) throw error;
    // All entries of a batch fail with the same error object.
    const fault = error instanceof ServiceUnavailableError ? error.dependency : error;
    this.#reported ??= new Set();
    if (this.#reported.has(fault)) return null;
    this.#reported.add(fault);
    throw error;
  }

  #caller() {
    const { auth_user: user, cutOff, log } = this.#context;
    return { kind: 'user', org: user?.Org, signal: cutOff.signal, log } satisfies Caller;
  }
}
