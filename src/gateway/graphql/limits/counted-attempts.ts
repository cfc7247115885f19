import type { AttemptCounter, Taking } from '../../../jobs/record/attempt-counter.js';
import { endedBy } from '../../../clients/call-error.js';
import { GatewayError, tooManyRequests, type LimitReason } from '../../../base/errors.js';

/** Points of an attempt. A refusal that reveals nothing about credentials costs only a part. */
export const WHOLE_ATTEMPT = 5;
const PART = 1;

type Outcome = 'success' | 'wrong guess' | 'other failure' | 'not judged';
export type Costs = Readonly<Record<Outcome, number>>;

export const GUESSES: Costs = { success: 0, 'wrong guess': WHOLE_ATTEMPT, 'other failure': PART, 'not judged': 0 };
export const CODE_SENDS: Costs = { ...GUESSES, success: WHOLE_ATTEMPT, 'wrong guess': PART, 'not judged': PART };
export const EVERY_REQUEST: Costs = {
  ...CODE_SENDS,
  'wrong guess': WHOLE_ATTEMPT,
  'other failure': WHOLE_ATTEMPT,
  'not judged': WHOLE_ATTEMPT,
};

export interface AttemptLimit {
  readonly counter: AttemptCounter;
  readonly costs: Costs;
  readonly reason: LimitReason;
}

/** Points of a key that an attempt takes. */
export interface Count {
  readonly limit: AttemptLimit;
  readonly key: string;
  /** Called if the outcome costs some. */
  readonly onCost?: () => void;
  /** Returns what counts instead once they are used up; undefined if nothing does. */
  readonly beyond?: () => Promise<Count | undefined>;
}

type Taken = readonly [Count, Extract<Taking, { outcome: 'taken' }>];

/**
 * Counts a whole attempt before it runs, so that concurrent attempts count too, and returns the points that the outcome
 * does not cost.
 *
 * @throws {GatewayError} `TooManyRequests`
 */
export async function countAttempt<T>(counts: readonly Count[], run: () => Promise<T>): Promise<T> {
  const taken: Taken[] = [];
  for (let count of counts) {
    let taking = await count.limit.counter.take(count.key, WHOLE_ATTEMPT);
    const beyond = taking.outcome === 'refused' ? await count.beyond?.() : undefined;
    if (beyond !== undefined) {
      count = beyond;
      taking = await count.limit.counter.take(count.key, WHOLE_ATTEMPT);
    }
    if (taking.outcome === 'refused') {
      await settle(taken, 'other failure');
      throw tooManyRequests(count.limit.reason, taking.retryAfterMs);
    }
    taken.push([count, taking]);
  }
  try {
    const value = await run();
    await settle(taken, 'success');
    return value;
  } catch (error) {
    await settle(taken, attemptOutcome(error));
    throw error;
  }
}

async function settle(taken: readonly Taken[], outcome: Outcome): Promise<void> {
  const settled = taken.map(async ([{ limit, onCost }, taking]) => {
    const cost = limit.costs[outcome];
    if (cost > 0) onCost?.();
    if (cost < WHOLE_ATTEMPT) await taking.giveBack(WHOLE_ATTEMPT - cost);
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
