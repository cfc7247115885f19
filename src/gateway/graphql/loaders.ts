import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { AuthUser } from '../auth/auth-user.js';
import type { BackendApi, Tag, UserCalls } from '../../clients/backend-api.js';
import type { Caller } from '../../clients/caller.js';
import type { GeoApi, GeoPoint, Presence, VoipApi } from '../../clients/geo-and-voip-api.js';
import { endedBy } from '../../clients/call-error.js';
import { describeOutage, GatewayError, ServiceUnavailableError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/logger.js';
import type { CutOff } from './cut-off.js';

/** Batched, per-request access to the backends. */
export type Loaders = Pick<OperationLoaders, 'user' | 'tag' | 'address' | 'presence' | 'orNull'>;

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

type Path = GraphQLResolveInfo['path'];

/** Limit of errors of a field of an operation, as of odd records of a page. */
const MAX_ERRORS = 21;

/** Values of a field that an operation has asked for, without those that came. */
interface AskedFields {
  left: number;
  failed: number;
  readonly roots: Set<string | number>;
}

function rootOf({ prev, key }: Path): string | number {
  return prev === undefined ? key : rootOf(prev);
}

/** Loaders of one operation. Each is made on first use, because most operations use few. */
export class OperationLoaders {
  readonly #sources: LoaderSources;
  readonly #context: LoaderContext;
  readonly #asked = new Map<string, AskedFields>();
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
    return (this.#user ??= this.#sources.backendApi.asUser({ authorization: authorization ?? '', ...this.#caller() }));
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
   * Turns failures of a field that one backend fills into null without an error, after 21 of the operation of which the
   * last one gives the number of all. A root field has one of its own at least.
   *
   * @param field what the backend fills, such as addresses
   * @param path of the field
   */
  async orNull<T>(field: string, path: Path, value: Promise<T>): Promise<T | null> {
    const asked = this.#asked.get(field) ?? { left: 0, failed: 0, roots: new Set() };
    this.#asked.set(field, asked);
    asked.left += 1;
    try {
      const found = await value;
      asked.left -= 1;
      return found;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      asked.failed += 1;
      const isFirst = !asked.roots.has(rootOf(path));
      asked.roots.add(rootOf(path));
      if (asked.failed > MAX_ERRORS && !isFirst) return null;
      const countsAll = asked.failed === MAX_ERRORS && error instanceof ServiceUnavailableError;
      if (!countsAll || endedBy(error, 'cut off')) throw error;
      throw new GatewayError('ValuesUnavailable', { count: asked.left }, { cause: new Error(describeOutage(error)) });
    }
  }

  #caller() {
    const { auth_user: user, cutOff, log } = this.#context;
    return { kind: 'user', org: user?.Org, signal: cutOff.signal, log } satisfies Caller;
  }
}
