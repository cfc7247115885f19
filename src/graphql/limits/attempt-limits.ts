import { createHash } from 'node:crypto';
import type { AttemptCounter, CounterFactory, Taking } from '../../auth/attempt-counter.js';
import { ContractBreach, ForeignAnswer, isBusyStatus } from '../../clients/call-errors.js';
import { clientOf, networksOf } from '../../wire/client-address.js';
import { GatewayError, TooManyRequestsError, type LimitReason } from '../../errors.js';

/** An attempt to log in or to get a one-time password. */
export interface Attempt {
  /** Login id as typed. */
  readonly loginId: string;
  /** Address of the client. */
  readonly address: string;
  /** Aborts the attempt, which then counts fully. */
  readonly signal: AbortSignal;
}

export type AttemptLimits = ReturnType<typeof createAttemptLimits>;

/** Numbers of allowed attempts. */
export interface AttemptLimitOptions {
  /** Failed credential checks per minute, account and address. */
  readonly loginPerMinute: number;
  /** One-time passwords sent per minute, account and address. */
  readonly otpSendPerMinute: number;
}

/** Limits of failures per address, per /56 and per /48, as multiples of the limit per account. */
const ACCOUNTS_PER_ADDRESS = 4;
const ACCOUNTS_PER_SITE = 12;
const ACCOUNTS_PER_LARGE_SITE = 20;
/** Limit of failures to refresh per address, as a multiple of the same limit. */
const REFRESHES_PER_ADDRESS = 60;
/** Limits of sent passwords per hour and per address, as multiples of the limit per minute and account. */
const OTP_SENDS_PER_HOUR_FACTOR = 5;
const OTP_SENDS_PER_ADDRESS = 20;
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

interface Limit {
  readonly counter: AttemptCounter;
  readonly costs: Costs;
  readonly reason: LimitReason;
}

/**
 * Limits guessing credentials and sending one-time passwords. Accounts are counted per address, so that no client can
 * lock another out. An address over its own limit is refused for every account.
 */
export function createAttemptLimits(
  { loginPerMinute, otpSendPerMinute }: AttemptLimitOptions,
  counters: CounterFactory,
) {
  const limitOf = (name: string, attempts: number, seconds: number, costs: Costs, reason: LimitReason): Limit => ({
    // The last attempt may be one of which a part is used up already.
    counter: counters(name, attempts * WHOLE + WHOLE - 1, seconds),
    costs,
    reason,
  });
  const sendsPerAddress = otpSendPerMinute * OTP_SENDS_PER_ADDRESS;
  const sendsPerHour = otpSendPerMinute * OTP_SENDS_PER_HOUR_FACTOR;
  const ofNetwork = (name: string, factor: number): Limit =>
    limitOf(name, loginPerMinute * factor, MINUTE, GUESSES, 'TooManyLoginsFromNetwork');
  const guessesByAddress = ofNetwork('guesses-address', ACCOUNTS_PER_ADDRESS);
  const guessesBySite = ofNetwork('guesses-56', ACCOUNTS_PER_SITE);
  const guessesByLargeSite = ofNetwork('guesses-48', ACCOUNTS_PER_LARGE_SITE);
  const refreshesByAddress = ofNetwork('refreshes-address', REFRESHES_PER_ADDRESS);
  const guessesByAccount = limitOf('guesses-account', loginPerMinute, MINUTE, GUESSES, 'TooManyLogins');
  const sendsByAddress = limitOf('sends-address', sendsPerAddress, MINUTE, EVERY_REQUEST, 'TooManyOtpsFromNetwork');
  const sendsByMinute = limitOf('sends-minute', otpSendPerMinute, MINUTE, DELIVERIES, 'TooManyOtps');
  const sendsByHour = limitOf('sends-hour', sendsPerHour, HOUR, DELIVERIES, 'TooManyOtps');

  // The address comes first, so that a refused address creates no counters of accounts.
  return {
    /**
     * Runs a credential check. A wrong guess counts fully, another refusal partly, and an attempt that was not judged
     * counts nothing. The networks around an IPv6 address count as well, because a site may have thousands of /64.
     *
     * @throws {TooManyRequestsError}
     */
    credentials<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
      const counts: Count[] = [[guessesByAddress, clientOf(attempt.address)]];
      const networks = networksOf(attempt.address);
      if (networks) counts.push([guessesBySite, networks[0]], [guessesByLargeSite, networks[1]]);
      return counted([...counts, [guessesByAccount, accountKey(attempt)]], attempt.signal, check);
    },
    /** Exchanges a refresh token, which counts like a credential check, by address. @throws {TooManyRequestsError} */
    refresh: <T>({ address, signal }: Omit<Attempt, 'loginId'>, exchange: () => Promise<T>): Promise<T> =>
      counted([[refreshesByAddress, clientOf(address)]], signal, exchange),
    /**
     * Sends a one-time password. A delivery counts fully, a failure partly; for the address every request counts fully.
     *
     * @throws {TooManyRequestsError}
     */
    otpSend: <T>(attempt: Attempt, send: () => Promise<T>): Promise<T> =>
      counted(
        [
          [sendsByAddress, clientOf(attempt.address)],
          [sendsByMinute, accountKey(attempt)],
          [sendsByHour, accountKey(attempt)],
        ],
        attempt.signal,
        send,
      ),
  };
}

type Count = readonly [limit: Limit, key: string];

/**
 * Counts a whole attempt before it runs, so that concurrent attempts count too, and returns the points that the outcome
 * does not cost.
 */
async function counted<T>(counts: readonly Count[], signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  const taken: [Limit, Extract<Taking, { outcome: 'taken' }>][] = [];
  const settle = async (outcome: Outcome): Promise<void> => {
    await Promise.all(
      taken.map(async ([{ costs }, taking]) => {
        const rest = WHOLE - costs[outcome];
        if (rest > 0) await taking.giveBack(rest);
      }),
    );
  };
  for (const [limit, key] of counts) {
    const taking = await limit.counter.take(key, WHOLE);
    if (taking.outcome === 'refused') {
      await settle('other failure');
      throw new TooManyRequestsError(limit.reason, taking.retryAfterMs);
    }
    taken.push([limit, taking]);
  }
  try {
    const value = await run();
    await settle('success');
    return value;
  } catch (error) {
    // The outcome of an attempt that was cut off is unknown.
    await settle(signal.aborted ? 'cut off' : outcomeOf(error));
    throw error;
  }
}

/** Returns the outcome of a failed attempt. A busy or absent backend has not judged it. */
function outcomeOf(error: unknown): Outcome {
  // A refusal in a foreign form may still tell whether the credentials are right.
  if (error instanceof ForeignAnswer && !isBusyStatus(error.httpStatus)) {
    return error.httpStatus === 401 ? 'wrong guess' : 'other failure';
  }
  if (!(error instanceof GatewayError) || error instanceof ContractBreach) return 'other failure';
  if (error.code === 'InvalidCredentials') return 'wrong guess';
  return error.code === 'ServiceUnavailable' || error.code === 'TooManyRequests' ? 'not judged' : 'other failure';
}

/** Returns a key of fixed length, equal for all spellings of a login id. */
function accountKey({ loginId, address }: Attempt): string {
  const account = loginId.normalize('NFKC').trim().toLowerCase();
  return createHash('sha256')
    .update(`${clientOf(address)}\n${account}`)
    .digest('base64url');
}
