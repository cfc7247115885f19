import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AttemptCounter, CounterFactory, Taking } from '../../../jobs/record/attempt-counter.js';
import { endedBy } from '../../../clients/call-error.js';
import type { Limits } from '../../../base/config/config.js';
import { clientOf, networksOf } from '../../../base/wire/client-address.js';
import { GatewayError, TooManyRequestsError, type LimitReason } from '../../../base/errors.js';

/** An attempt to log in or to get a one-time password. */
export interface Attempt {
  /** Login id as typed. */
  readonly loginId: string;
  readonly address: string;
  /** Aborts the attempt, which then counts fully; absent if it runs to its end. */
  readonly signal?: AbortSignal;
}

/** Limits of an address to log in, to refresh and to request one-time passwords, as multiples of an account's. */
const ADDRESS_FACTORS = { logins: 4, refreshes: 60, otps: 20 };
/** Limits of the networks around an IPv6 address, as multiples of its own. */
const NETWORK_FACTORS = { site: 3, largeSite: 5, unblamed: 50 };
/** Limit of sent passwords per hour, as a multiple of the limit per minute. */
const OTPS_PER_HOUR_FACTOR = 5;
/** Limit of remembered networks with a failure. */
const MAX_BLAMED = 10_000;
const MINUTE = 60;
const HOUR = 3_600;

/** Points of an attempt. A refusal that reveals nothing about credentials costs only a part. */
const WHOLE = 5;
const PART = 1;

type Outcome = 'success' | 'wrong guess' | 'other failure' | 'not judged' | 'cut off';
/** Points of an attempt by outcome. */
type Costs = Readonly<Record<Outcome, number>>;

const GUESSES: Costs = { success: 0, 'wrong guess': WHOLE, 'other failure': PART, 'not judged': 0, 'cut off': WHOLE };
const DELIVERIES: Costs = { ...GUESSES, success: WHOLE, 'wrong guess': PART, 'not judged': PART };
const EVERY_REQUEST: Costs = { ...DELIVERIES, 'wrong guess': WHOLE, 'other failure': WHOLE, 'not judged': WHOLE };

interface AttemptLimit {
  readonly counter: AttemptCounter;
  readonly costs: Costs;
  readonly reason: LimitReason;
}

/** Points of a key that an attempt takes. `onCost` is called if its outcome costs some. */
interface Count {
  readonly limit: AttemptLimit;
  readonly key: string;
  readonly onCost?: () => void;
}

type LimitOf = (name: string, attempts: number, seconds: number) => AttemptLimit;

/**
 * Limits of an address and of the networks around it, as a site may have thousands of /64. Within a /48, sites without
 * a failure of their own have a larger limit, so that others who guess there do not lock them out.
 */
class NetworkLimits {
  readonly #address: AttemptLimit;
  readonly #site: AttemptLimit;
  readonly #largeSite: AttemptLimit;
  readonly #unblamed: AttemptLimit;
  /** Sites of which an attempt has counted within a minute, as far as this process knows. */
  readonly #blamed = new LRUCache<string, true>({ max: MAX_BLAMED, ttl: MINUTE * 1_000 });

  constructor(name: string, perAddress: number, limitOf: LimitOf) {
    const { site, largeSite, unblamed } = NETWORK_FACTORS;
    this.#address = limitOf(`${name}-address`, perAddress, MINUTE);
    this.#site = limitOf(`${name}-56`, perAddress * site, MINUTE);
    this.#largeSite = limitOf(`${name}-48`, perAddress * largeSite, MINUTE);
    this.#unblamed = limitOf(`${name}-48-unblamed`, perAddress * unblamed, MINUTE);
  }

  countsOf(address: string): readonly Count[] {
    const networks = networksOf(address);
    if (networks.length === 1) return [{ limit: this.#address, key: networks[0] }];
    const [largeSite, site, client] = networks;
    const limit = this.#blamed.has(site) ? this.#largeSite : this.#unblamed;
    return [
      { limit: this.#address, key: client },
      { limit: this.#site, key: site },
      { limit, key: largeSite, onCost: () => this.#blamed.set(site, true) },
    ];
  }
}

/**
 * Limits of guessing credentials and of sending one-time passwords. Accounts are counted per address, so that no client
 * can lock another out. An address over its own limit is refused for every account.
 */
export class AttemptLimits {
  readonly #guesses: { readonly networks: NetworkLimits; readonly account: AttemptLimit };
  readonly #refreshes: NetworkLimits;
  readonly #sends: { readonly networks: NetworkLimits; readonly minute: AttemptLimit; readonly hour: AttemptLimit };

  constructor(limits: Pick<Limits, 'loginRatePerMinute' | 'otpSendRatePerMinute'>, counters: CounterFactory) {
    const { loginRatePerMinute, otpSendRatePerMinute } = limits;
    const limitsOf =
      (costs: Costs, reason: LimitReason): LimitOf =>
      (name, attempts, seconds) => ({
        // The last attempt may be one of which a part is used up already.
        counter: counters(name, attempts * WHOLE + WHOLE - 1, seconds),
        costs,
        reason,
      });
    const { logins, refreshes, otps } = ADDRESS_FACTORS;
    const ofNetworks = limitsOf(GUESSES, 'TooManyLoginsFromNetwork');
    this.#guesses = {
      networks: new NetworkLimits('guesses', loginRatePerMinute * logins, ofNetworks),
      account: limitsOf(GUESSES, 'TooManyLogins')('guesses-account', loginRatePerMinute, MINUTE),
    };
    this.#refreshes = new NetworkLimits('refreshes', loginRatePerMinute * refreshes, ofNetworks);
    const ofAccount = limitsOf(DELIVERIES, 'TooManyOtps');
    const ofRequests = limitsOf(EVERY_REQUEST, 'TooManyOtpsFromNetwork');
    this.#sends = {
      networks: new NetworkLimits('sends', otpSendRatePerMinute * otps, ofRequests),
      minute: ofAccount('sends-minute', otpSendRatePerMinute, MINUTE),
      hour: ofAccount('sends-hour', otpSendRatePerMinute * OTPS_PER_HOUR_FACTOR, HOUR),
    };
  }

  /**
   * Runs a credential check. A wrong guess counts fully, another refusal partly, and an attempt that was not judged
   * counts nothing.
   *
   * @throws {TooManyRequestsError}
   */
  credentials<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    const { networks, account } = this.#guesses;
    // The address comes first, here and below, so that a refused address creates no counters of accounts.
    const counts = [...networks.countsOf(attempt.address), { limit: account, key: accountKey(attempt) }];
    return counted(counts, attempt.signal, check);
  }

  /** Exchanges a refresh token, which counts like a credential check, by address. @throws {TooManyRequestsError} */
  refresh<T>({ address, signal }: Omit<Attempt, 'loginId'>, exchange: () => Promise<T>): Promise<T> {
    return counted(this.#refreshes.countsOf(address), signal, exchange);
  }

  /**
   * Sends a one-time password. A delivery counts fully, a failure partly; for the address every request counts fully.
   *
   * @throws {TooManyRequestsError}
   */
  otpSend<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
    const { networks, minute, hour } = this.#sends;
    const key = accountKey(attempt);
    const counts = [...networks.countsOf(attempt.address), { limit: minute, key }, { limit: hour, key }];
    return counted(counts, attempt.signal, send);
  }
}

type Taken = readonly [Count, Extract<Taking, { outcome: 'taken' }>];

/**
 * Counts a whole attempt before it runs, so that concurrent attempts count too, and returns the points that the outcome
 * does not cost.
 */
async function counted<T>(
  counts: readonly Count[],
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const taken: Taken[] = [];
  for (const count of counts) {
    const taking = await count.limit.counter.take(count.key, WHOLE);
    if (taking.outcome === 'refused') {
      await settle(taken, 'other failure');
      throw new TooManyRequestsError(count.limit.reason, taking.retryAfterMs);
    }
    taken.push([count, taking]);
  }
  try {
    const value = await run();
    await settle(taken, 'success');
    return value;
  } catch (error) {
    // The outcome of an attempt whose client did not wait is unknown. Our own time limit is no fault of the client.
    const hasLeft = signal?.aborted === true && !(signal.reason instanceof GatewayError);
    await settle(taken, hasLeft ? 'cut off' : attemptOutcome(error));
    throw error;
  }
}

/** Gives back the points that an outcome does not cost. */
async function settle(taken: readonly Taken[], outcome: Outcome): Promise<void> {
  const settled = taken.map(async ([{ limit, onCost }, taking]) => {
    const cost = limit.costs[outcome];
    if (cost > 0) onCost?.();
    if (cost < WHOLE) await taking.giveBack(WHOLE - cost);
  });
  await Promise.all(settled);
}

/** Returns the outcome of a failed attempt. A busy or absent backend has not judged it. */
function attemptOutcome(error: unknown): Outcome {
  // A refusal in a foreign form may still tell whether the credentials are right.
  if (endedBy(error, 'foreign')) return error.details.httpStatus === 401 ? 'wrong guess' : 'other failure';
  if (!(error instanceof GatewayError) || endedBy(error, 'unreadable', 'redirected')) return 'other failure';
  if (error.code === 'InvalidCredentials') return 'wrong guess';
  return error.code === 'ServiceUnavailable' || error.code === 'TooManyRequests' ? 'not judged' : 'other failure';
}

/** Characters that nobody sees, so that each number of them would be another spelling (UAX #44; category Cc). */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/** Returns a key of fixed length, equal for all spellings of a login id. */
function accountKey({ loginId, address }: Attempt): string {
  const account = loginId.replace(UNSEEN, '').normalize('NFKC').trim().toLowerCase();
  return hash('sha256', `${clientOf(address)}\n${account}`, 'base64url');
}
