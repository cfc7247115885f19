import type { paths } from '../../../generated/backend-api.js';
import * as contract from '../../../generated/validators/backend-api.js';
import { ItemFailure } from '../../errors.js';
import { encodeOrgHeader, ORG_HEADER } from '../../wire/organisation-code.js';
import { KeyRefusal, type CallName } from '../call-errors.js';
import type { Caller } from '../caller.js';
import { sending, type BackendCall, type Send } from '../exchange.js';
import { PlainRequest, targetOf, type Target } from '../plain-exchange.js';
import { empty, mended, whole, type ReplyReader } from '../read-reply.js';
import { outgoing } from '../transport.js';
import type { KeyRefusals } from '../key-refusals.js';
import type {
  BackendApiParts,
  DrivingRecord,
  Mobile,
  MobilePatch,
  UserAccount,
  UserAccountInput,
} from './backend-api-parts.js';
import { readableTrip } from './readable-trip.js';
import { accountPage, type Page } from './user-calls.js';

/** Calls for a job, with the service key and the job's organisation. */
export type ServiceCalls = ReturnType<typeof serviceCalls>;

/** `x-api-key` of service calls: during a key rotation the second one is tried once if the first is refused. */
export type ServiceKeys = readonly [current: string, other?: string];

/** Job as a caller of backend-api. */
export interface Service extends Pick<Caller, 'signal' | 'insists' | 'log'> {
  readonly keys: ServiceKeys;
  readonly refusals: KeyRefusals;
  readonly org: string | undefined;
}

/** Creates the calls of one job. */
export function serviceCalls(
  { backend, client, baseUrl }: BackendApiParts,
  { keys: [key, other], refusals, org, signal, insists, log }: Service,
) {
  const headers = { 'x-api-key': key, ...(org !== undefined && { [ORG_HEADER]: encodeOrgHeader(org) }) };
  const jsonHeaders = { 'content-type': 'application/json', ...headers };
  const mobiles = targetOf(`${baseUrl}${MOBILES_PATH}`);
  const caller: Caller = { kind: 'job', org, signal, insists, log };
  const run = async <T>(mode: 'read' | 'write', call: BackendCall<T>): Promise<T> => {
    try {
      return await backend[mode](caller, call).catch((error: unknown) => {
        if (other === undefined || !(error instanceof KeyRefusal)) throw error;
        return backend[mode](caller, { ...call, send: withKey(call.send, other) });
      });
    } catch (error) {
      throw error instanceof KeyRefusal ? refusals.noted(backend.name, org) : error;
    }
  };
  const read = <T>(call: CallName, reply: ReplyReader<T>, send: Send): Promise<T> => run('read', { call, reply, send });
  const write = <T>(call: CallName, reply: ReplyReader<T>, send: Send): Promise<T> =>
    run('write', { call, reply, send });
  return {
    updateMobile: (id: number, body: MobilePatch): Promise<Mobile> =>
      write('updateMobile', mobile, sending(patchMobile(mobiles, jsonHeaders, id, body))),
    async getMobile(id: string): Promise<Mobile> {
      requirePathId('mobileId', id);
      return read('getMobile', mobile, (via) =>
        client.GET('/v1/mobiles/{id}', { ...via, headers, params: { path: { id } } }),
      );
    },
    /** Reads a span of time, RFC 3339; `from` is inclusive, `to` exclusive. */
    async getDrivingRecord(mobileId: string, { from, to }: { from: string; to: string }): Promise<DrivingRecord> {
      requirePathId('mobileId', mobileId);
      const params = { path: { id: mobileId }, query: { from, to } };
      return read('getDrivingRecord', drivingRecord, (via) =>
        client.GET('/v1/mobiles/{id}/driving-record', { ...via, headers, params }),
      );
    },
    /** @returns the id of the account; the same for the same idempotency key */
    async createUserAccount(body: UserAccountInput, idempotencyKey: string): Promise<number> {
      const params = { header: { 'Idempotency-Key': idempotencyKey } };
      const { id } = await write('createUserAccount', whole(contract.CreatedUserAccount), (via) =>
        client.POST('/v1/user-accounts', { ...via, headers, body, params }),
      );
      return id;
    },
    async updateUserAccount(body: UserAccountInput): Promise<UserAccount> {
      const { loginId } = body;
      requirePathId('loginId', loginId);
      return write('updateUserAccount', whole(contract.UserAccount), (via) =>
        client.PUT('/v1/user-accounts/{loginId}', { ...via, headers, body, params: { path: { loginId } } }),
      );
    },
    listUserAccounts: (query: { limit: number }): Promise<Page<UserAccount>> =>
      read('listUserAccounts', accountPage, (via) =>
        client.GET('/v1/user-accounts', { ...via, headers, params: { query } }),
      ),
    async deleteUserAccount(loginId: string): Promise<void> {
      requirePathId('loginId', loginId);
      await write('deleteUserAccount', empty, (via) =>
        client.DELETE('/v1/user-accounts/{loginId}', { ...via, headers, params: { path: { loginId } } }),
      );
    },
  };
}

const mobile = whole(contract.Mobile);
const drivingRecord = mended('trips', contract.DrivingRecord, contract.Trip, readableTrip);

const LONE_SURROGATE = /\p{Surrogate}/u;

const MOBILES_PATH = '/v1/mobiles' satisfies keyof paths;

/** Makes the request of `updateMobile` itself, because a job sends a thousand of them in a row. */
function patchMobile(
  { origin, path: mobiles }: Target,
  headers: Readonly<Record<string, string>>,
  id: number,
  body: MobilePatch,
): PlainRequest {
  const path = `${mobiles}/${id}`;
  const target = { origin, path };
  return new PlainRequest(`${origin}${path}`, { method: 'PATCH', headers, body: JSON.stringify(body), target });
}

/** Sends the same request with another key. */
function withKey(send: Send, key: string): Send {
  // Clients created with PLAIN_REQUESTS produce the input of such a fetch.
  return (via) => send({ ...via, fetch: (input) => via.fetch(outgoing(input).with({ 'x-api-key': key }) as never) });
}

/**
 * Requires that an id can be a segment of a URL path. `.` and `..`, percent-encoded or not, would reach another
 * resource (RFC 3986, section 5.2.4), and half a surrogate pair has no encoding. @throws {ItemFailure}
 */
function requirePathId(name: string, id: string): void {
  if (id === '.' || id === '..' || LONE_SURROGATE.test(id)) throw new ItemFailure('UnusableId', { name });
}
