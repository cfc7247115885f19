import * as contract from '../../../generated/validators/backend-api.js';
import { GatewayError } from '../../base/errors.js';
import { inOwnWords, isUnauthorized, mapRefusal, type CallName } from '../call-error.js';
import { listed, validEntries, whole, type EntryOrBreach, type ListReader, type ReplyReader } from '../read-reply.js';
import type { Caller } from '../caller.js';
import type { Send } from '../exchange.js';
import type { BackendApiParts, Mobile, Tag, UserAccount } from './backend-api-parts.js';

/** Page of a list, with an error or null in place of each invalid entry. */
export interface Page<Entry> {
  readonly items: readonly EntryOrBreach<Entry>[];
  readonly nextCursor?: string;
  readonly total?: number;
}

interface PageQuery {
  limit: number;
  cursor?: string;
}

/** Calls for a user, with that user's own token: backend-api decides what the user may see. */
export type UserCalls = ReturnType<typeof userCalls>;

export interface User extends Pick<Caller, 'signal' | 'log'> {
  readonly authorization: string;
  /** Organisation; its calls count as one party. */
  readonly org: string | undefined;
}

const mobilePage = listed('items', contract.MobilePage, contract.Mobile);
export const accountPage = listed('items', contract.UserAccountPage, contract.UserAccount);
const tagList = listed('items', contract.Tags, contract.Tag);

/** Limits a list to the number of entries that were asked for. */
function ofAtMost<T>(limit: number, reading: ListReader<T>): ReplyReader<T> {
  return (text, backend, onBreach) => reading(text, backend, onBreach, limit);
}

export function userCalls({ backend, client }: BackendApiParts, { authorization, org, signal, log }: User) {
  const headers = { authorization };
  const caller: Caller = { kind: 'user', org, signal, log };
  /** Reads with the user's token, which backend-api may refuse (401) although its signature is right. */
  const read = <T>(call: CallName, reply: ReplyReader<T>, send: Send): Promise<T> =>
    mapRefusal(backend.read(caller, { call, reply, send, withToken: true }), (refusal) =>
      isUnauthorized(refusal) ? new GatewayError('TokenInvalid') : inOwnWords(refusal),
    );
  return {
    listMobiles: (query: PageQuery & { search?: string; tagIds?: number[] }): Promise<Page<Mobile>> =>
      read('listMobiles', ofAtMost(query.limit, mobilePage), (via) =>
        client.GET('/v1/mobiles', { headers, params: { query }, ...via }),
      ),
    getMobile: (id: number): Promise<Mobile> =>
      read('getMobile', whole(contract.Mobile), (via) =>
        client.GET('/v1/mobiles/{id}', { headers, params: { path: { id: String(id) } }, ...via }),
      ),
    /** Returns those of the ids that the user may see. */
    async lookupMobiles(ids: readonly string[]): Promise<readonly string[]> {
      const reply = await read('lookupMobiles', whole(contract.MobileIds), (via) =>
        client.POST('/v1/mobiles/lookup', { headers, body: { ids: [...ids] }, ...via }),
      );
      return reply.ids;
    },
    async listTags(): Promise<readonly Tag[]> {
      const { items } = await read('listTags', tagList, (via) => client.GET('/v1/tags', { headers, ...via }));
      return validEntries(items);
    },
    listUserAccounts: (query: PageQuery): Promise<Page<UserAccount>> =>
      read('listUserAccounts', ofAtMost(query.limit, accountPage), (via) =>
        client.GET('/v1/user-accounts', { headers, params: { query }, ...via }),
      ),
  };
}
