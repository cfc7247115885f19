import type { Assumptions } from './assumptions.js';
import { FIGURES, KINDS, totalCost, type Cost, type Costs, type Kind } from './costs.js';
import { randomFrom, type Random } from '../../../src/sandbox/seed/random.js';

/*
 * A day of a fleet, minute by minute: what people ask for comes at random around a curve with one peak, requests are
 * answered first, and jobs get what is left of the processors. The rest waits, and is polled for longer.
 */

const MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const SEED = 20_261_122;
// Looked up millions of times, and looking up a global is slow inside the test runner.
const { cos, exp, log, max, PI, round, sqrt } = Math;

/** Needs of a fleet. Rates are a second, in the busiest minute. */
export type Needs = ReturnType<typeof simulate>;

/** Simulates a day with as few gateways as carry it, and one more that may fail. */
export function simulate(vehicles: number, assumptions: Assumptions, costs: Costs) {
  // The same for any number of gateways.
  const arriving = arrivalsOfDay(vehicles, assumptions);
  let [tooFew, enough] = [0, 1];
  while (!carries(enough)) [tooFew, enough] = [enough, enough * 2];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (carries(middle)) enough = middle;
    else tooFew = middle;
  }
  const day = busiestOf({ gateways: enough, arriving, assumptions, costs });
  const { 'busy-share': busyShare, 'key-max-age-seconds': keyMaxAge } = assumptions;
  const gateways = enough + 1;
  const queueFunctions = Math.ceil(day.peak.queueFunctionMs / MINUTE_MS / busyShare) + 1;
  // Each asks for messages even while there are none.
  const idle = Math.max(gateways, queueFunctions);
  const daily = dailyCounts(vehicles, assumptions);
  const perSecond = (perMinute: number): number => perMinute / 60;
  return {
    vehicles,
    users: vehicles * assumptions['users-per-vehicle'],
    requests: perSecond(day.counts.login + day.counts.list + day.counts.start + day.counts.poll),
    items: perSecond(day.counts.item),
    pages: perSecond(day.counts.page),
    gateways,
    queueFunctions,
    redisCommands: perSecond(day.peak.redisCommands) + idle * costs.idle.redisCommands,
    // Those on the keys of the queue, which lie in one slot.
    queueCommands: perSecond(day.peak.queueCommands) + idle * costs.idle.queueCommands,
    cores: (day.peak.gatewayMs + day.peak.queueFunctionMs + day.peak.redisMs) / MINUTE_MS,
    // One is all that Redis can use.
    redisCores: day.peak.redisMs / MINUTE_MS + (idle * costs.idle.redisMs) / 1_000,
    keyFetches: perSecond(day.peak.keyFetches),
    // While keys are kept.
    keptKeyFetches: Math.min(perSecond(day.peak.keyFetches), gateways / keyMaxAge),
    backendCalls: perSecond(day.peak.backendCalls),
    // How long a job waits at most because gateways are busy.
    waitSeconds: day.maxWaitSeconds,
    jobs: daily.job + daily.report,
    reportBytes:
      daily.report * (costs.work.report.reportBytes + assumptions['drivers-per-report'] * costs.work.page.reportBytes),
  };

  function carries(gatewayCount: number): boolean {
    const { isAnswered, maxWaitSeconds } = simulateDay({ gateways: gatewayCount, arriving, assumptions, costs });
    return isAnswered && maxWaitSeconds <= assumptions['max-wait-seconds'];
  }
}

/** The largest fleet for which something holds, to two significant figures. @param holds up to some number of vehicles */
export function largestFleet(holds: (vehicles: number) => boolean): number {
  let [least, most] = [0, SIZES.length];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (holds(SIZES[middle] ?? Infinity)) least = middle + 1;
    else most = middle;
  }
  return SIZES[least - 1] ?? 0;
}

/** 10, 11 … 99, 100, 110 … of hundreds up to a thousand million vehicles. */
const SIZES = [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((size) =>
  Array.from({ length: 90 }, (_, tenths) => (size / 10) * (tenths + 10)),
);

interface Day {
  /** Whether requests alone never took more than the gateways give. */
  readonly isAnswered: boolean;
  readonly maxWaitSeconds: number;
}

/** The greatest of each in any minute. */
interface BusiestMinutes extends Day {
  readonly peak: Cost;
  readonly counts: Counts;
}

type Counts = Readonly<Record<Kind, number>>;

interface DayInput {
  readonly gateways: number;
  readonly arriving: readonly Arrivals[];
  readonly assumptions: Assumptions;
  readonly costs: Costs;
}

function arrivalsOfDay(vehicles: number, assumptions: Assumptions): readonly Arrivals[] {
  const random = randomFrom(SEED);
  const daily = dailyCounts(vehicles, assumptions);
  return curve(assumptions['peak-factor']).map((ofMean) => {
    const come = (perDay: number): number => arrivals(perDay * (ofMean / MINUTES), random);
    return { login: come(daily.login), list: come(daily.list), job: come(daily.job), report: come(daily.report) };
  });
}

/** @param onMinute told what there is to do in each minute */
function simulateDay({ gateways, arriving, assumptions, costs }: DayInput, onMinute?: (counts: Counts) => void): Day {
  const capacityMs = gateways * MINUTE_MS * assumptions['busy-share'];
  let backlogMs = 0;
  let waitSeconds = 0;
  let maxWaitSeconds = 0;
  let isAnswered = true;
  for (const coming of arriving) {
    const counts = countsOf(coming, assumptions, waitSeconds);
    const requestsMs = timeOf(counts, REQUESTS, costs);
    const leftMs = capacityMs - requestsMs;
    isAnswered &&= leftMs >= 0;
    backlogMs = max(0, backlogMs + timeOf(counts, WORK, costs) - max(0, leftMs));
    waitSeconds = backlogMs === 0 ? 0 : (backlogMs / max(leftMs, 1)) * 60;
    maxWaitSeconds = max(maxWaitSeconds, waitSeconds);
    onMinute?.(counts);
  }
  return { isAnswered, maxWaitSeconds };
}

function busiestOf(input: DayInput): BusiestMinutes {
  const peak = Object.fromEntries(FIGURES.map((figure) => [figure, 0])) as Record<keyof Cost, number>; // every figure
  const most = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>; // every kind
  const day = simulateDay(input, (counts) => {
    for (const kind of KINDS) most[kind] = max(most[kind], counts[kind]);
    const cost = totalCost(counts, input.costs);
    for (const figure of FIGURES) peak[figure] = max(peak[figure], cost[figure]);
  });
  return { ...day, peak, counts: most };
}

type Arrivals = Readonly<Record<'login' | 'list' | 'job' | 'report', number>>;

/** Returns the work for all arrivals when each job waits so long. */
function countsOf({ login, list, job, report }: Arrivals, assumptions: Assumptions, waitSeconds: number): Counts {
  const start = job + report;
  const openSeconds = start * (assumptions['job-seconds'] + waitSeconds);
  return {
    login,
    list,
    start,
    poll: openSeconds / assumptions['poll-seconds'],
    job,
    item: job * assumptions['items-per-job'],
    report,
    page: report * assumptions['drivers-per-report'],
  };
}

/** Answered at once, or done when there is time. */
const REQUESTS: readonly Kind[] = ['login', 'list', 'start', 'poll'];
const WORK: readonly Kind[] = ['job', 'item', 'report', 'page'];

function timeOf(counts: Counts, kinds: readonly Kind[], { work }: Costs): number {
  return kinds.reduce((sum, kind) => sum + counts[kind] * work[kind].gatewayMs, 0);
}

function dailyCounts(vehicles: number, assumptions: Assumptions): Arrivals {
  const users = vehicles * assumptions['users-per-vehicle'];
  return {
    login: users * assumptions['logins-per-user'],
    list: users * assumptions['views-per-user'],
    job: (vehicles * assumptions['updates-per-vehicle']) / assumptions['items-per-job'],
    report: (vehicles * assumptions['reports-per-vehicle']) / assumptions['drivers-per-report'],
  };
}

/** The share of each minute of a day, 1 on average and the factor at the peak, in the early afternoon. */
function curve(peakFactor: number): readonly number[] {
  const shapeOf = (steepness: number): readonly number[] => {
    const raw = COSINES.map((cosine) => exp(steepness * cosine));
    const mean = raw.reduce((sum, value) => sum + value, 0) / MINUTES;
    return raw.map((value) => value / mean);
  };
  let [flat, steep] = [0, 500];
  for (let step = 0; step < 40; step += 1) {
    const middle = (flat + steep) / 2;
    if (Math.max(...shapeOf(middle)) < peakFactor) flat = middle;
    else steep = middle;
  }
  return shapeOf(flat);
}

const PEAK_MINUTE = 14 * 60;
const COSINES = Array.from({ length: MINUTES }, (_, minute) => cos((2 * PI * (minute - PEAK_MINUTE)) / MINUTES));

/** Above this the normal distribution is near enough. */
const MANY = 50;

/** How many of something come when so many are expected (Poisson). */
export function arrivals(expected: number, random: Random): number {
  if (expected > MANY) {
    const normal = sqrt(-2 * log(1 - random.next())) * cos(2 * PI * random.next());
    return max(0, round(expected + sqrt(expected) * normal));
  }
  const limit = exp(-expected);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}
