import { createHmac, hkdfSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Session } from '../../clients/backend-api.js';
import type { KeyRing } from '../../base/config/key-ring.js';
import { GatewayError } from '../../base/errors.js';
import { clientOf } from '../../base/wire/client-address.js';
import type { ShortLivedTexts } from '../../jobs/record/attempt-counter.js';

/** Milliseconds for which the session of a refresh or of a code is kept. */
export const KEPT_MS = { refresh: 60_000, code: 10_000 };

const REFUSED_MS = 60_000;
const MAX_REFUSED = 10_000;

/** Text in place of an answer that is still asked for. */
export const PENDING = '';
/** Interval at which an equal request looks for the answer, in milliseconds. */
export const LOOK_AGAIN_MS = 50;
/** Time for which the mark of a call outlives its limit, because a call that fails late takes the mark away. */
export const SPARE_MS = 1_000;

export interface KeptSessionsOptions {
  readonly texts: ShortLivedTexts;
  readonly keyRing: KeyRing;
  /** Longest call for a session, in milliseconds. */
  readonly callMs: number;
}

/** A one-time password as it was given. */
export interface GivenCode {
  readonly loginId: string;
  readonly code: string;
  readonly challenge?: string | null | undefined;
  readonly address: string;
}

/** Place of one kept session, and the key that opens it. */
interface KeptPlace {
  readonly id: string;
  /** Name of the link from its refresh token to the kept answer that has it. */
  readonly link: string;
  readonly key: Uint8Array;
}

/**
 * Keeps the session of a refresh or of a one-time password for a repetition, because browsers repeat a request by
 * themselves, and a second use may be refused or end the session (RFC 6238, section 5.2; RFC 9700, section 4.14.2).
 * Names and keys are derived (HKDF, RFC 5869) from `JOB_ENCRYPTION_KEY` together with the token or the code, so that
 * the store alone gives no session. Refusals of refresh tokens are remembered in this process.
 */
export class KeptSessions {
  readonly #options: KeptSessionsOptions;
  /** Time of each refusal, on the monotonic clock. */
  readonly #refused = new LRUCache<string, number>({ maxSize: MAX_REFUSED, sizeCalculation: () => 1 });

  constructor(options: KeptSessionsOptions) {
    this.#options = options;
  }

  /** @throws {GatewayError} `InvalidCredentials` if the token was refused within the last minute */
  requireUnrefused(refreshToken: string): void {
    const refusedAt = this.#refused.get(this.#placesOf(refreshToken)[0].id) ?? -Infinity;
    if (performance.now() < refusedAt + REFUSED_MS) throw new GatewayError('WrongRefreshToken');
  }

  /** Exchanges a refresh token, or repeats the answer until the new token is used. @throws errors of `exchange` */
  async refresh(refreshToken: string, exchange: () => Promise<Session>): Promise<Session> {
    const places = this.#placesOf(refreshToken);
    const { texts } = this.#options;
    await Promise.all(
      places.map(async ({ link }) => {
        const answer = await texts.get(link);
        if (answer !== undefined) await Promise.all([answer, link].map((each) => texts.delete(each)));
      }),
    );
    const unlessRefused = (): Promise<Session> => {
      // Meanwhile, others that waited as well may have had the answer.
      this.requireUnrefused(refreshToken);
      return exchange();
    };
    return this.#once(places, KEPT_MS.refresh, unlessRefused).catch((error: unknown) => {
      const isRefused = error instanceof GatewayError && error.reason === 'WrongRefreshToken';
      if (isRefused) this.#refused.set(places[0].id, performance.now());
      throw error;
    });
  }

  /** Exchanges a code, or repeats the answer for the same client. @throws errors of `exchange` */
  verify({ loginId, code, challenge, address }: GivenCode, exchange: () => Promise<Session>): Promise<Session> {
    const places = this.#placesOf(JSON.stringify([loginId, code, challenge ?? null, clientOf(address)]));
    return this.#once(places, KEPT_MS.code, exchange);
  }

  /**
   * Lets one of equal exchanges run at a time, on all gateways; the others wait for its answer, for one call at most.
   *
   * @throws {GatewayError} `SessionUnknown` when another one has run for that time
   */
  async #once(places: KeptPlaces, keptMs: number, exchange: () => Promise<Session>): Promise<Session> {
    const { texts, callMs } = this.#options;
    const [{ id, key }] = places;
    const markMs = callMs + SPARE_MS;
    const waitsUntil = performance.now() + markMs;
    for (;;) {
      for (const place of places) {
        const kept = await texts.get(place.id);
        if (kept !== undefined && kept !== PENDING) return await open(kept, place.key);
      }
      if (await texts.put(id, PENDING, { forMs: markMs, isNew: true })) break;
      if (performance.now() >= waitsUntil) throw new GatewayError('SessionUnknown');
      await pause(LOOK_AGAIN_MS);
    }
    try {
      const session = await exchange();
      const [{ link }] = this.#placesOf(session.refreshToken);
      await Promise.all([
        texts.put(id, await seal(session, key), { forMs: keptMs }),
        texts.put(link, id, { forMs: keptMs }),
      ]);
      return session;
    } catch (error) {
      await texts.delete(id);
      throw error;
    }
  }

  #placesOf(secret: string): KeptPlaces {
    const [current, ...previous] = this.#options.keyRing.for('kept-session');
    return [placeOf(current.key, secret), ...previous.map(({ key }) => placeOf(key, secret))];
  }
}

/** One for each key of jobs, the current one first. */
type KeptPlaces = readonly [KeptPlace, ...KeptPlace[]];

function placeOf(master: Uint8Array, secret: string): KeptPlace {
  const derived = new Uint8Array(hkdfSync('sha256', master, secret, 'kept session', 64));
  const named = (what: string): string =>
    createHmac('sha256', derived.subarray(0, 32)).update(what).digest('base64url');
  return { id: named('answer'), link: named('link'), key: derived.subarray(32) };
}

function seal(session: Session, key: Uint8Array): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(session));
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

async function open(kept: string, key: Uint8Array): Promise<Session> {
  const { plaintext } = await compactDecrypt(kept, key);
  return JSON.parse(new TextDecoder().decode(plaintext)) as Session; // by `seal`
}
