import { createHash } from 'node:crypto';
import type { AttemptCounter, CounterFactory, Taking } from '../../auth/attempt-counter.js';
import { clientOf } from '../../wire/client-address.js';
import { GatewayError, TooManyRequestsError } from '../../errors.js';

/** Who tries. */
export interface Attempt {
  /** As it was typed. */
  readonly loginId: string;
  /** Address of the client. */
  readonly address: string;
  /** Ends the attempt early; whoever does that is taken to have needed all of it. */
  readonly signal: AbortSignal;
}

/**
 * Limits on guessing credentials and on sending one-time passwords. Accounts are counted together with the
 * address, so that nobody can lock somebody else out; an address that is over its own limit is refused for every
 * account.
 */
export interface AttemptLimits {
  /** Runs a credential check. A wrong guess counts, another failure a little. @throws {TooManyRequestsError} */
  credentials<T>(attempt: Attempt, check: () => Promise<T>): Promise<T>;
  /**
   * Sends a one-time password. What was sent counts, a failure a little, and every request for the address.
   *
   * @throws {TooManyRequestsError}
   */
  otpSend<T>(attempt: Attempt, send: () => Promise<T>): Promise<T>;
}

/** How many attempts are allowed. */
export interface AttemptLimitOptions {
  /** Failed credential checks a minute per account and address. */
  readonly loginPerMinute: number;
  /** One-time passwords sent a minute per account and address. */
  readonly otpSendPerMinute: number;
}

/** One address may fail for this many accounts as often as for one. */
const ACCOUNTS_PER_ADDRESS = 4;
const OTP_SENDS_PER_HOUR_FACTOR = 5;
/** One address may ask for one-time passwords for this many accounts. */
const OTP_SENDS_PER_ADDRESS = 20;
const MINUTE = 60;
const HOUR = 3_600;

/** Points of an attempt; one point is what a failure costs that tells nothing about credentials. */
const WHOLE = 5;
const PART = 1;

type Outcome = 'success' | 'wrong guess' | 'other failure' | 'cut off';
/** Points that an attempt costs, by what became of it. */
type Costs = Readonly<Record<Outcome, number>>;

const GUESSES: Costs = { success: 0, 'wrong guess': WHOLE, 'other failure': PART, 'cut off': WHOLE };
const DELIVERIES: Costs = { success: WHOLE, 'wrong guess': PART, 'other failure': PART, 'cut off': WHOLE };
const EVERY_REQUEST: Costs = { success: WHOLE, 'wrong guess': WHOLE, 'other failure': WHOLE, 'cut off': WHOLE };

interface Limit {
  readonly counter: AttemptCounter;
  readonly costs: Costs;
  /** For the error. */
  readonly text: string;
}

const GUESSED_BY_ADDRESS = 'There were too many attempts to log in from your network.';
const GUESSED_FOR_ACCOUNT = 'There were too many attempts to log in to this account.';
const SENT_TO_ADDRESS = 'One-time passwords were requested too often from your network.';
const SENT_FOR_ACCOUNT = 'One-time passwords were requested too often for this account.';

/** Creates the limits over some counters. */
export function createAttemptLimits(
  { loginPerMinute, otpSendPerMinute }: AttemptLimitOptions,
  counters: CounterFactory,
): AttemptLimits {
  const limitOf = (name: string, attempts: number, seconds: number, costs: Costs, text: string): Limit => ({
    // An attempt may be made as long as less than all of them is used up, be it a part.
    counter: counters(name, attempts * WHOLE + WHOLE - 1, seconds),
    costs,
    text,
  });
  const perAddress = loginPerMinute * ACCOUNTS_PER_ADDRESS;
  const sendsPerAddress = otpSendPerMinute * OTP_SENDS_PER_ADDRESS;
  const sendsPerHour = otpSendPerMinute * OTP_SENDS_PER_HOUR_FACTOR;
  const guessesByAddress = limitOf('guesses-address', perAddress, MINUTE, GUESSES, GUESSED_BY_ADDRESS);
  const guessesByAccount = limitOf('guesses-account', loginPerMinute, MINUTE, GUESSES, GUESSED_FOR_ACCOUNT);
  const sendsByAddress = limitOf('sends-address', sendsPerAddress, MINUTE, EVERY_REQUEST, SENT_TO_ADDRESS);
  const sendsByMinute = limitOf('sends-minute', otpSendPerMinute, MINUTE, DELIVERIES, SENT_FOR_ACCOUNT);
  const sendsByHour = limitOf('sends-hour', sendsPerHour, HOUR, DELIVERIES, SENT_FOR_ACCOUNT);

  // The address comes first: once it is refused, no account that it names gets a counter.
  return {
    credentials: (attempt, check) =>
      counted(
        [
          [guessesByAddress, clientOf(attempt.address)],
          [guessesByAccount, accountKey(attempt)],
        ],
        attempt.signal,
        check,
      ),
    otpSend: (attempt, send) =>
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
 * Counts a whole attempt before running, so that attempts under way at the same time count too, and gives back what
 * the outcome does not cost.
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
      throw new TooManyRequestsError(limit.text, taking.retryAfterMs);
    }
    taken.push([limit, taking]);
  }
  try {
    const value = await run();
    await settle('success');
    return value;
  } catch (error) {
    // It may have been made, and nobody is left to hear how it ended.
    if (signal.aborted) await settle('cut off');
    else await settle(isWrongGuess(error) ? 'wrong guess' : 'other failure');
    throw error;
  }
}

function isWrongGuess(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'InvalidCredentials';
}

/** Of fixed length, whatever was sent as a login id, and the same for all ways to write it. */
function accountKey({ loginId, address }: Attempt): string {
  const account = loginId.normalize('NFKC').trim().toLowerCase();
  return createHash('sha256')
    .update(`${clientOf(address)}\n${account}`)
    .digest('base64url');
}
