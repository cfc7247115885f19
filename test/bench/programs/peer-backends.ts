import { Pool } from 'undici';
import { setting } from './serve.js';

export interface PublicKey {
  readonly kid?: string;
  readonly pem: string;
}

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

export interface Mobile {
  readonly id: number;
  readonly num: string;
  readonly name: string;
  readonly position: (Point & { readonly speedKmh: number }) | null;
}

export interface Presence {
  readonly mobileId: number;
  readonly online: boolean;
  readonly talkGroup: string | null;
}

/** Connections that are kept open, as undici's documentation recommends for a known origin. */
const pool = new Pool(setting('STUB_URL'), { connections: 64 });

/** The backends' replies are believed: validating them is the gateway's own idea. */
async function call<T>(method: 'GET' | 'POST', path: string, headers = {}, body?: unknown): Promise<T> {
  const reply = await pool.request({
    method,
    path,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (reply.statusCode !== 200) throw new Error(`${method} ${path} answered ${reply.statusCode}.`);
  return (await reply.body.json()) as T;
}

export async function fetchPublicKeys(): Promise<readonly PublicKey[]> {
  return (await call<{ keys: PublicKey[] }>('GET', '/v1/public-keys')).keys;
}

export async function listMobiles(limit: number, authorization: string): Promise<MobilePage> {
  return call<MobilePage>('GET', `/v1/mobiles?limit=${limit}`, { authorization });
}

export interface MobilePage {
  readonly items: readonly Mobile[];
  readonly nextCursor?: string;
}

export function connectionOf({ items, nextCursor }: MobilePage) {
  return {
    edges: items.map((node) => ({ node })),
    pageInfo: { hasNextPage: nextCursor !== undefined, endCursor: nextCursor ?? null },
  };
}

export async function reverseGeocode(points: readonly Point[]): Promise<readonly (string | null)[]> {
  const body = { points: points.map(({ lat, lng }) => ({ lat, lng })) };
  return (await call<{ addresses: (string | null)[] }>('POST', '/v1/reverse-geocode', {}, body)).addresses;
}

export async function getPresence(ids: readonly number[]): Promise<readonly (Presence | null)[]> {
  const { items } = await call<{ items: Presence[] }>('GET', `/v1/presence?mobileIds=${ids.join(',')}`);
  const known = new Map(items.map((presence) => [presence.mobileId, presence]));
  return ids.map((id) => known.get(id) ?? null);
}
