import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { clientOf } from '../client-address.js';
import { GatewayError, tooManyRequests } from '../errors.js';

/** Who tries. */
export interface Attempt {
  readonly loginId: string;
  /** Address of the client. */
  readonly address: string;
}

/**
 * Limits on guessing credentials and on sending one-time passwords. Accounts are counted together with the
 * address, so that nobody can lock somebody else out.
 */
export interface AttemptLimits {
  /** Runs a credential check; only failed ones count. @throws {GatewayError} `TooManyRequests` */
  credentials<T>(attempt: Attempt, check: () => Promise<T>): Promise<T>;
  /** Sends a one-time password; only sent ones count. @throws {GatewayError} `TooManyRequests` */
  otpSend<T>(attempt: Attempt, send: () => Promise<T>): Promise<T>;
}

/** How many attempts are allowed. */
export interface AttemptLimitOptions {
  /** Failed credential checks a minute per account and address. */
  readonly loginPerMinute: number;
  /** One-time passwords sent a minute per account and address. */
  readonly otpSendPerMinute: number;
}

/** A counter of attempts, as rate-limiter-flexible has it. */
export interface AttemptCounter {
  /** Counts one. @throws {RateLimiterRes} when there are none left */
  consume(key: string): Promise<unknown>;
  /** Takes one back. */
  reward(key: string): Promise<unknown>;
}

/** Makes a counter of `points` within `duration` seconds. */
export type CounterFactory = (keyPrefix: string, points: number, duration: number) => AttemptCounter;

/** One address may fail for this many accounts as often as for one. */
const ACCOUNTS_PER_ADDRESS = 4;
const OTP_SENDS_PER_HOUR_FACTOR = 5;
const MINUTE = 60;
const HOUR = 3_600;

/** Creates the limits over some counters. */
export function createAttemptLimits(
  { loginPerMinute, otpSendPerMinute }: AttemptLimitOptions,
  counters: CounterFactory,
): AttemptLimits {
  const limitOf = (keyPrefix: string, points: number, duration: number, what: string): Limit => ({
    counter: counters(keyPrefix, points, duration),
    text: `${points} ${what}`,
  });
  const loginByAccount = limitOf(
    'login-account',
    loginPerMinute,
    MINUTE,
    'failures a minute for one account (LOGIN_RATE_PER_MINUTE)',
  );
  const loginByAddress = limitOf(
    'login-address',
    loginPerMinute * ACCOUNTS_PER_ADDRESS,
    MINUTE,
    `failures a minute from one address (${ACCOUNTS_PER_ADDRESS} times LOGIN_RATE_PER_MINUTE)`,
  );
  const otpByMinute = limitOf(
    'otp-minute',
    otpSendPerMinute,
    MINUTE,
    'a minute for one account (OTP_SEND_RATE_PER_MINUTE)',
  );
  const otpByHour = limitOf(
    'otp-hour',
    otpSendPerMinute * OTP_SENDS_PER_HOUR_FACTOR,
    HOUR,
    `an hour for one account (${OTP_SENDS_PER_HOUR_FACTOR} times OTP_SEND_RATE_PER_MINUTE)`,
  );

  return {
    credentials: (attempt, check) =>
      counted(
        [
          [loginByAccount, accountKey(attempt)],
          [loginByAddress, clientOf(attempt.address)],
        ],
        check,
        (error) => error instanceof GatewayError && error.code === 'InvalidCredentials',
        () => false,
      ),
    otpSend: (attempt, send) =>
      counted(
        [
          [otpByMinute, accountKey(attempt)],
          [otpByHour, accountKey(attempt)],
        ],
        send,
        () => false,
        () => true,
      ),
  };
}

interface Limit {
  readonly counter: AttemptCounter;
  /** For the error. */
  readonly text: string;
}

type Count = readonly [limit: Limit, key: string];

/**
 * Counts before running, so that attempts under way at the same time count too, and takes the count back
 * when the outcome is not one that counts.
 */
async function counted<T>(
  counts: readonly Count[],
  run: () => Promise<T>,
  failureCounts: (error: unknown) => boolean,
  successCounts: () => boolean,
): Promise<T> {
  const taken: Count[] = [];
  const giveBack = async (): Promise<void> => {
    await Promise.all(taken.map(([{ counter }, key]) => counter.reward(key)));
  };
  for (const [limit, key] of counts) {
    try {
      // A refused attempt is counted as well, so it has to be taken back too.
      taken.push([limit, key]);
      await limit.counter.consume(key);
    } catch (rejected) {
      await giveBack();
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      const seconds = Math.max(1, Math.ceil(rejected.msBeforeNext / 1000));
      throw tooManyRequests(`Too many attempts. The limit is ${limit.text}. Try again in ${seconds} s.`);
    }
  }
  try {
    const value = await run();
    if (!successCounts()) await giveBack();
    return value;
  } catch (error) {
    if (!failureCounts(error)) await giveBack();
    throw error;
  }
}

/** Of fixed length, whatever was sent as a login id. */
function accountKey({ loginId, address }: Attempt): string {
  return createHash('sha256')
    .update(`${clientOf(address)}\n${loginId}`)
    .digest('base64url');
}
