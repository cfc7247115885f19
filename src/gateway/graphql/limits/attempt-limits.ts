import { hash } from 'node:crypto';
import type { AttemptCounter, CounterFactory, Taking } from '../../../jobs/record/attempt-counter.js';
import { ContractBreach, ForeignAnswer, isBusyStatus } from '../../../clients/call-errors.js';
import type { Limits } from '../../../base/config/config.js';
import { clientOf, networksOf } from '../../../base/wire/client-address.js';
import { GatewayError, TooManyRequestsError, type LimitReason } from '../../../base/errors.js';

/** An attempt to log in or to get a one-time password. */
export interface Attempt {
  /** Login id as typed. */
  readonly loginId: string;
  readonly address: string;
  /** Aborts the attempt, which then counts fully. */
  readonly signal: AbortSignal;
}

/** Limits of failures per address, per /56 and per /48, and to refresh, as multiples of the limit per account. */
const LOGIN_FACTORS = { address: 4, site: 12, largeSite: 20, refreshes: 60 };
/** Limits of sent passwords per hour and per address, as multiples of the limit per minute and account. */
const OTP_FACTORS = { hour: 5, address: 20 };
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

/**
 * Limits of guessing credentials and of sending one-time passwords. Accounts are counted per address, so that no client
 * can lock another out. An address over its own limit is refused for every account.
 */
export class AttemptLimits {
  readonly #guesses: Readonly<Record<'address' | 'site' | 'largeSite' | 'account', AttemptLimit>>;
  readonly #refreshes: AttemptLimit;
  readonly #sends: Readonly<Record<'address' | 'minute' | 'hour', AttemptLimit>>;

  constructor(limits: Pick<Limits, 'loginRatePerMinute' | 'otpSendRatePerMinute'>, counters: CounterFactory) {
    const { loginRatePerMinute, otpSendRatePerMinute } = limits;
    const limitOf = (
      name: string,
      attempts: number,
      seconds: number,
      costs: Costs,
      reason: LimitReason,
    ): AttemptLimit => ({
      // The last attempt may be one of which a part is used up already.
      counter: counters(name, attempts * WHOLE + WHOLE - 1, seconds),
      costs,
      reason,
    });
    const ofNetwork = (name: string, factor: number): AttemptLimit =>
      limitOf(name, loginRatePerMinute * factor, MINUTE, GUESSES, 'TooManyLoginsFromNetwork');
    this.#guesses = {
      address: ofNetwork('guesses-address', LOGIN_FACTORS.address),
      site: ofNetwork('guesses-56', LOGIN_FACTORS.site),
      largeSite: ofNetwork('guesses-48', LOGIN_FACTORS.largeSite),
      account: limitOf('guesses-account', loginRatePerMinute, MINUTE, GUESSES, 'TooManyLogins'),
    };
    this.#refreshes = ofNetwork('refreshes-address', LOGIN_FACTORS.refreshes);
    const sendsPerAddress = otpSendRatePerMinute * OTP_FACTORS.address;
    this.#sends = {
      address: limitOf('sends-address', sendsPerAddress, MINUTE, EVERY_REQUEST, 'TooManyOtpsFromNetwork'),
      minute: limitOf('sends-minute', otpSendRatePerMinute, MINUTE, DELIVERIES, 'TooManyOtps'),
      hour: limitOf('sends-hour', otpSendRatePerMinute * OTP_FACTORS.hour, HOUR, DELIVERIES, 'TooManyOtps'),
    };
  }

  /**
   * Runs a credential check. A wrong guess counts fully, another refusal partly, and an attempt that was not judged
   * counts nothing. The networks around an IPv6 address count as well, because a site may have thousands of /64.
   *
   * @throws {TooManyRequestsError}
   */
  credentials<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    const { address, site, largeSite, account } = this.#guesses;
    const networks = networksOf(attempt.address);
    // The address comes first, here and below, so that a refused address creates no counters of accounts.
    const counts: Count[] = [[address, clientOf(attempt.address)]];
    if (networks) counts.push([site, networks[0]], [largeSite, networks[1]]);
    return counted([...counts, [account, accountKey(attempt)]], attempt.signal, check);
  }

  /** Exchanges a refresh token, which counts like a credential check, by address. @throws {TooManyRequestsError} */
  refresh<T>({ address, signal }: Omit<Attempt, 'loginId'>, exchange: () => Promise<T>): Promise<T> {
    return counted([[this.#refreshes, clientOf(address)]], signal, exchange);
  }

  /**
   * Sends a one-time password. A delivery counts fully, a failure partly; for the address every request counts fully.
   *
   * @throws {TooManyRequestsError}
   */
  otpSend<T>(attempt: Attempt, send: () => Promise<T>): Promise<T> {
    const { address, minute, hour } = this.#sends;
    const account = accountKey(attempt);
    const counts: Count[] = [
      [address, clientOf(attempt.address)],
      [minute, account],
      [hour, account],
    ];
    return counted(counts, attempt.signal, send);
  }
}

type Count = readonly [limit: AttemptLimit, key: string];
type Taken = readonly [AttemptLimit, Extract<Taking, { outcome: 'taken' }>];

/**
 * Counts a whole attempt before it runs, so that concurrent attempts count too, and returns the points that the outcome
 * does not cost.
 */
async function counted<T>(counts: readonly Count[], signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const taken: Taken[] = [];
  for (const [limit, key] of counts) {
    const taking = await limit.counter.take(key, WHOLE);
    if (taking.outcome === 'refused') {
      await settle(taken, 'other failure');
      throw new TooManyRequestsError(limit.reason, taking.retryAfterMs);
    }
    taken.push([limit, taking]);
  }
  try {
    const value = await run();
    await settle(taken, 'success');
    return value;
  } catch (error) {
    // The outcome of an attempt whose client did not wait is unknown. Our own time limit is no fault of the client.
    const hasLeft = signal.aborted && !(signal.reason instanceof GatewayError);
    await settle(taken, hasLeft ? 'cut off' : attemptOutcome(error));
    throw error;
  }
}

/** Gives back the points that an outcome does not cost. */
async function settle(taken: readonly Taken[], outcome: Outcome): Promise<void> {
  const settled = taken.map(async ([{ costs }, taking]) => {
    if (costs[outcome] < WHOLE) await taking.giveBack(WHOLE - costs[outcome]);
  });
  await Promise.all(settled);
}

/** Returns the outcome of a failed attempt. A busy or absent backend has not judged it. */
function attemptOutcome(error: unknown): Outcome {
  // A refusal in a foreign form may still tell whether the credentials are right.
  if (error instanceof ForeignAnswer && !isBusyStatus(error.httpStatus)) {
    return error.httpStatus === 401 ? 'wrong guess' : 'other failure';
  }
  if (!(error instanceof GatewayError) || error instanceof ContractBreach) return 'other failure';
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
