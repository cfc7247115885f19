import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { CounterFactory, ShortLivedTexts } from '../../../jobs/record/attempt-counter.js';
import { USER_FIELDS } from '../../auth/auth-user.js';
import { LOOK_AGAIN_MS, PENDING, SPARE_MS } from '../../auth/kept-sessions.js';
import type { Limits } from '../../../base/config/config.js';
import { clientOf, networksOf } from '../../../base/wire/client-address.js';
import { ServiceUnavailableError, type LimitReason } from '../../../base/errors.js';
import {
  countAttempt,
  CODE_SENDS,
  EVERY_REQUEST,
  GUESSES,
  WHOLE_ATTEMPT,
  type AttemptLimit,
  type Costs,
  type Count,
} from './counted-attempts.js';

/** An attempt to log in or to get a one-time password. */
export interface Attempt {
  /** Login id as typed. */
  readonly loginId: string;
  readonly address: string;
}

/** Answer to a request for a one-time password; `expiresIn` in seconds. */
interface SentCode {
  readonly sentTo: string;
  readonly expiresIn: number;
}

/** Limits of an address to log in, to refresh and to request one-time passwords, as multiples of an account's. */
const ADDRESS_FACTORS = { logins: 4, refreshes: 60, otps: 20 };
/** Limits of the networks around an IPv6 address, as multiples of its own. */
const NETWORK_FACTORS = { site: 3, largeSite: 5, unblamed: 50 };
/** Limits of sent passwords per hour, to an account and address and to an account, as multiples of that per minute. */
const OTPS_PER_HOUR_FACTORS = { account: 5, everywhere: 10 };
/** Time for which a network counts as known to an account after a success, in milliseconds. */
export const KNOWN_MS = 24 * 3_600_000;
const KNOWN = 'known';
/** Limit of remembered networks with a failure. */
const MAX_BLAMED = 10_000;
const MINUTE = 60;
const HOUR = 3_600;

type LimitOf = (name: string, attempts: number, seconds: number) => AttemptLimit;

/** Returns the counts of an address and of the networks around it. */
type NetworkLimits = (address: string) => readonly Count[];

/**
 * Creates the limits of an address and of the networks around it, as a site may have thousands of /64. Within a /48,
 * sites without a failure of their own have a larger limit, so that others who guess there do not lock them out.
 */
function networkLimits(name: string, perAddress: number, limitOf: LimitOf): NetworkLimits {
  const of = (kind: string, factor = 1): AttemptLimit => limitOf(`${name}-${kind}`, perAddress * factor, MINUTE);
  const limits = {
    address: of('address'),
    site: of('56', NETWORK_FACTORS.site),
    largeSite: of('48', NETWORK_FACTORS.largeSite),
    unblamed: of('48-unblamed', NETWORK_FACTORS.unblamed),
  };
  /** Sites of which an attempt has counted within a minute, as far as this process knows. */
  const blamed = new LRUCache<string, true>({ max: MAX_BLAMED, ttl: MINUTE * 1_000 });
  return (address) => {
    const networks = networksOf(address);
    if (networks.length === 1) return [{ limit: limits.address, key: networks[0] }];
    const [largeSite, site, client] = networks;
    const limit = blamed.has(site) ? limits.largeSite : limits.unblamed;
    return [
      { limit: limits.address, key: client },
      { limit: limits.site, key: site },
      { limit, key: largeSite, onCost: () => blamed.set(site, true) },
    ];
  };
}

interface AttemptLimitsOptions {
  readonly limits: Pick<Limits, 'loginRatePerMinute' | 'otpSendRatePerMinute'>;
  readonly counters: CounterFactory;
  readonly texts: ShortLivedTexts;
  /** Longest call that sends a password, in milliseconds. */
  readonly callMs: number;
}

/**
 * Limits of guessing credentials and of sending one-time passwords. Accounts are counted per address, so that no client
 * can lock another out. An address over its own limit is refused for every account.
 */
export class AttemptLimits {
  readonly #guesses: { readonly networks: NetworkLimits; readonly account: AttemptLimit };
  readonly #refreshes: NetworkLimits;
  readonly #sends: Readonly<Record<'minute' | 'hour' | 'everywhere' | 'known', AttemptLimit>>;
  readonly #sendNetworks: NetworkLimits;
  readonly #options: AttemptLimitsOptions;

  constructor(options: AttemptLimitsOptions) {
    this.#options = options;
    const { loginRatePerMinute, otpSendRatePerMinute } = options.limits;
    const { counters } = options;
    const limitsOf =
      (costs: Costs, reason: LimitReason): LimitOf =>
      (name, attempts, seconds) => ({
        // The last attempt may be one of which a part is used up already.
        counter: counters(name, attempts * WHOLE_ATTEMPT + WHOLE_ATTEMPT - 1, seconds),
        costs,
        reason,
      });
    const { logins, refreshes, otps } = ADDRESS_FACTORS;
    const ofNetworks = limitsOf(GUESSES, 'TooManyLoginsFromNetwork');
    this.#guesses = {
      networks: networkLimits('guesses', loginRatePerMinute * logins, ofNetworks),
      account: limitsOf(GUESSES, 'TooManyLogins')('guesses-account', loginRatePerMinute, MINUTE),
    };
    this.#refreshes = networkLimits('refreshes', loginRatePerMinute * refreshes, ofNetworks);
    const ofAccount = limitsOf(CODE_SENDS, 'TooManyOtps');
    const ofRequests = limitsOf(EVERY_REQUEST, 'TooManyOtpsFromNetwork');
    const { account, everywhere } = OTPS_PER_HOUR_FACTORS;
    this.#sendNetworks = networkLimits('sends', otpSendRatePerMinute * otps, ofRequests);
    this.#sends = {
      minute: ofAccount('sends-minute', otpSendRatePerMinute, MINUTE),
      hour: ofAccount('sends-hour', otpSendRatePerMinute * account, HOUR),
      everywhere: ofAccount('sends-account', otpSendRatePerMinute * everywhere, HOUR),
      known: ofAccount('sends-known', otpSendRatePerMinute * account, HOUR),
    };
  }

  /**
   * Runs a credential check. A wrong guess counts fully, another refusal partly, and an attempt that was not judged
   * counts nothing.
   *
   * @throws {GatewayError} `TooManyRequests`
   */
  async credentials<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    const { networks, account } = this.#guesses;
    // The address comes first, here and below, so that a refused address creates no counters of accounts.
    const counts = [...networks(attempt.address), { limit: account, key: accountKey(attempt) }];
    const result = await countAttempt(counts, check);
    await this.#know(attempt);
    return result;
  }

  /**
   * Exchanges a refresh token, which counts like a credential check, by address.
   *
   * @throws {GatewayError} `TooManyRequests`
   */
  async refresh<T extends { readonly accessToken: string }>(address: string, exchange: () => Promise<T>): Promise<T> {
    const session = await countAttempt(this.#refreshes(address), exchange);
    const loginId = userIn(session.accessToken);
    if (loginId !== undefined) await this.#know({ loginId, address });
    return session;
  }

  /**
   * Sends a one-time password, or repeats the answer of the last minute for the same account and address, because
   * browsers repeat a request by themselves. A delivery counts fully, a failure partly; for the address every request
   * counts fully. An account that gets many is served only where a log-in or refresh of it succeeded within a day.
   *
   * @param call name of the kind of password
   * @throws {GatewayError} `TooManyRequests`
   */
  otpSend<T extends SentCode>(attempt: Attempt, call: string, send: () => Promise<T>) {
    const sentOnce = async (): Promise<SentCode & { readonly isRepeated: boolean }> => {
      const { texts, callMs } = this.#options;
      const name = `${call}:${accountKey(attempt)}`;
      const waitsUntil = performance.now() + callMs;
      while (!(await texts.put(name, PENDING, { forMs: callMs + SPARE_MS, isNew: true }))) {
        const sent = await texts.get(name);
        if (sent !== undefined && sent !== PENDING) return repeated(sent);
        if (performance.now() >= waitsUntil) {
          throw new ServiceUnavailableError('backend-api', 'another delivery for the account has not ended');
        }
        await pause(LOOK_AGAIN_MS);
      }
      try {
        const { sentTo, expiresIn } = await countAttempt(this.#sendCounts(attempt), send);
        const forMs = Math.min(MINUTE, expiresIn) * 1_000;
        const text = JSON.stringify({ sentTo, expiresAt: Date.now() + expiresIn * 1_000 });
        await (forMs > 0 ? texts.put(name, text, { forMs }) : texts.delete(name));
        return { sentTo, expiresIn, isRepeated: false };
      } catch (error) {
        await texts.delete(name);
        throw error;
      }
    };
    return countAttempt(this.#sendNetworks(attempt.address), sentOnce);
  }

  #sendCounts(attempt: Attempt): readonly Count[] {
    const { minute, hour, everywhere, known } = this.#sends;
    const key = accountKey(attempt);
    const place = knownPlace(attempt);
    const beyond = async (): Promise<Count | undefined> =>
      (await this.#options.texts.get(`known:${place}`)) === undefined ? undefined : { limit: known, key: place };
    return [
      { limit: minute, key },
      { limit: hour, key },
      { limit: everywhere, key: accountKey({ ...attempt, address: '' }), beyond },
    ];
  }

  /** Notes that a log-in or refresh of an account succeeded in a network. */
  async #know(attempt: Attempt): Promise<void> {
    await this.#options.texts.put(`known:${knownPlace(attempt)}`, KNOWN, { forMs: KNOWN_MS });
  }
}

/** Returns the answer of a delivery that was kept as a text. */
function repeated(text: string): SentCode & { readonly isRepeated: boolean } {
  const { sentTo, expiresAt } = JSON.parse(text) as { sentTo: string; expiresAt: number }; // by `otpSend`
  return { sentTo, expiresIn: Math.max(1, Math.ceil((expiresAt - Date.now()) / 1_000)), isRepeated: true };
}

/** Returns the user of a new access token, which is of backend-api itself; undefined without one. */
function userIn(accessToken: string): string | undefined {
  try {
    const user = decodeJwt(accessToken)[USER_FIELDS.BackendUser.claim];
    return typeof user === 'string' ? user : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a key of fixed length of an account in a network: the /56 of an IPv6 address. */
function knownPlace(attempt: Attempt): string {
  const networks = networksOf(attempt.address);
  return accountKey(attempt, networks[1] ?? networks[0]);
}

/** Characters that nobody sees, so that each number of them would be another spelling (UAX #44; category Cc). */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/** Returns a key of fixed length, equal for all spellings of a login id. */
function accountKey({ loginId, address }: Attempt, network = clientOf(address)): string {
  const account = loginId.replace(UNSEEN, '').normalize('NFKC').trim().toLowerCase();
  return hash('sha256', `${network}\n${account}`, 'base64url');
}
