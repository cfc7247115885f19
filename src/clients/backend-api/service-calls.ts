import type { paths } from '../../../generated/backend-api.js';
import * as contract from '../../../generated/validators/backend-api.js';
import { ItemFailure } from '../../base/errors.js';
import { encodeOrgHeader, ORG_HEADER } from '../../base/wire/organisation-code.js';
import { endedBy, type CallName } from '../call-error.js';
import type { Caller } from '../caller.js';
import { sending, type Send } from '../exchange.js';
import { PlainRequest, targetOf, type Target } from '../plain-exchange.js';
import { empty, listReplacing, whole, type ReplyReader } from '../read-reply.js';
import type { KeyRefusals } from '../key-refusals.js';
import type {
  BackendApiParts,
  DrivingRecord,
  Mobile,
  MobilePatch,
  UserAccount,
  UserAccountInput,
  Trip,
} from './backend-api-parts.js';
import { accountPage, type Page } from './user-calls.js';

/** `x-api-key` of service calls: during a key rotation the second one is tried once if the first is refused. */
export type ServiceKeys = readonly [current: string, other?: string];

export interface Service extends Caller {
  readonly kind: 'job';
  readonly keys: ServiceKeys;
  readonly refusals: KeyRefusals;
  readonly org: string | undefined;
}

/** Calls for one job, with the service key and the job's organisation. */
export class ServiceCalls {
  readonly #parts: BackendApiParts;
  readonly #mobiles: Target;
  readonly #service: Service;
  readonly #headers: ServiceHeaders;

  constructor(parts: BackendApiParts, service: Service) {
    const { keys, org } = service;
    this.#parts = parts;
    this.#mobiles = targetOf(`${parts.baseUrl}${MOBILES_PATH}`);
    this.#service = service;
    this.#headers = { 'x-api-key': keys[0], ...(org !== undefined && { [ORG_HEADER]: encodeOrgHeader(org) }) };
  }

  /** Updates a mobile. It makes the request itself, because a job sends a thousand of them in a row. */
  updateMobile(id: number, patch: MobilePatch): Promise<Mobile> {
    const { origin, path } = this.#mobiles;
    const target = { origin, path: `${path}/${id}` };
    const init = { method: 'PATCH', body: JSON.stringify(patch), target };
    return this.#run('write', 'updateMobile', mobile, ({ fetch, headers: given }) => {
      const headers = { 'content-type': 'application/json', ...given };
      return sending(new PlainRequest(`${origin}${target.path}`, { ...init, headers }))({ fetch });
    });
  }

  async getMobile(id: string): Promise<Mobile> {
    requirePathId('mobileId', id);
    return this.#run('read', 'getMobile', mobile, (via) =>
      this.#parts.client.GET('/v1/mobiles/{id}', { ...via, params: { path: { id } } }),
    );
  }

  /** Reads a span of time, RFC 3339; `from` is inclusive, `to` exclusive. */
  async getDrivingRecord(mobileId: string, { from, to }: { from: string; to: string }): Promise<DrivingRecord> {
    requirePathId('mobileId', mobileId);
    const params = { path: { id: mobileId }, query: { from, to } };
    return this.#run('read', 'getDrivingRecord', drivingRecord, (via) =>
      this.#parts.client.GET('/v1/mobiles/{id}/driving-record', { ...via, params }),
    );
  }

  /** @returns the id of the account; the same for the same idempotency key */
  async createUserAccount(body: UserAccountInput, idempotencyKey: string): Promise<number> {
    const params = { header: { 'Idempotency-Key': idempotencyKey } };
    const { id } = await this.#run('write', 'createUserAccount', whole(contract.CreatedUserAccount), (via) =>
      this.#parts.client.POST('/v1/user-accounts', { ...via, body, params }),
    );
    return id;
  }

  async updateUserAccount(body: UserAccountInput): Promise<UserAccount> {
    const { loginId } = body;
    requirePathId('loginId', loginId);
    return this.#run('write', 'updateUserAccount', whole(contract.UserAccount), (via) =>
      this.#parts.client.PUT('/v1/user-accounts/{loginId}', { ...via, body, params: { path: { loginId } } }),
    );
  }

  async getUserAccount(loginId: string): Promise<UserAccount> {
    requirePathId('loginId', loginId);
    return this.#run('read', 'getUserAccount', whole(contract.UserAccount), (via) =>
      this.#parts.client.GET('/v1/user-accounts/{loginId}', { ...via, params: { path: { loginId } } }),
    );
  }

  listUserAccounts(query: { limit: number }): Promise<Page<UserAccount>> {
    return this.#run('read', 'listUserAccounts', accountPage, (via) =>
      this.#parts.client.GET('/v1/user-accounts', { ...via, params: { query } }),
    );
  }

  async deleteUserAccount(loginId: string): Promise<void> {
    requirePathId('loginId', loginId);
    await this.#run('write', 'deleteUserAccount', empty, (via) =>
      this.#parts.client.DELETE('/v1/user-accounts/{loginId}', { ...via, params: { path: { loginId } } }),
    );
  }

  /** Makes a call. If the key is refused, the other one is tried once. @throws {CallError} `key refused`: both are */
  async #run<T>(mode: 'read' | 'write', call: CallName, reply: ReplyReader<T>, send: ServiceSend): Promise<T> {
    const { keys, refusals, org } = this.#service;
    const { backend } = this.#parts;
    const ask = (headers: ServiceHeaders): Promise<T> =>
      backend[mode](this.#service, { call, reply, send: (via) => send({ ...via, headers }) });
    try {
      return await ask(this.#headers).catch((error: unknown) => {
        const [, other] = keys;
        if (other === undefined || !endedBy(error, 'key refused')) throw error;
        return ask({ ...this.#headers, 'x-api-key': other });
      });
    } catch (error) {
      throw endedBy(error, 'key refused') ? refusals.recordRefusal(backend.name, org) : error;
    }
  }
}

const mobile = whole(contract.Mobile);
const drivingRecord = listReplacing('trips', contract.DrivingRecord, contract.Trip, readableTrip);

const LONE_SURROGATE = /\p{Surrogate}/u;

const MOBILES_PATH = '/v1/mobiles' satisfies keyof paths;

type ServiceHeaders = Readonly<Record<string, string>>;

/** Sends a request with the headers of the service and of the job's organisation. */
type ServiceSend = (via: Parameters<Send>[0] & { readonly headers: ServiceHeaders }) => Promise<unknown>;

/**
 * Requires that an id can be a segment of a URL path. `.` and `..`, percent-encoded or not, would reach another
 * resource (RFC 3986, section 5.2.4), and half a surrogate pair has no encoding. @throws {ItemFailure}
 */
function requirePathId(name: string, id: string): void {
  if (id === '.' || id === '..' || LONE_SURROGATE.test(id)) throw new ItemFailure('UnusableId', { name });
}

/** Reads a trip that breaks the contract. An unreadable number becomes NaN, and an unreadable time an empty text. */
export function readableTrip(entry: unknown): Trip {
  const track = fieldOf(entry, 'track');
  return {
    start: fixOf(fieldOf(entry, 'start')),
    end: fixOf(fieldOf(entry, 'end')),
    distanceMeters: numberOf(entry, 'distanceMeters'),
    stopCount: numberOf(entry, 'stopCount'),
    maxSpeedKmh: numberOf(entry, 'maxSpeedKmh'),
    idleSeconds: numberOf(entry, 'idleSeconds'),
    track: Array.isArray(track)
      ? track.map((point: unknown) => ({ ...fixOf(point), speedKmh: numberOf(point, 'speedKmh') }))
      : [],
  };
}

function fixOf(value: unknown): Trip['start'] {
  const timed = { time: fieldOf(value, 'time'), lat: 0, lng: 0 };
  return { time: contract.Fix(timed) ? timed.time : '', lat: numberOf(value, 'lat'), lng: numberOf(value, 'lng') };
}

function numberOf(value: unknown, key: string): number {
  const field = fieldOf(value, key);
  return typeof field === 'number' ? field : Number.NaN;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
