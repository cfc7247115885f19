import type { DayTotals } from './day-totals.js';
import { isCounted, type DayBreak, type DayTrip } from './day-trip.js';

/**
 * Driving time rules for a day: the Japanese notice of standards for the improvement of working hours of drivers
 * (改善基準告示) as of April 2024, Regulation (EC) No 561/2006, or none.
 */
export type DrivingRules = 'japan-2024' | 'eu-561' | 'off';

/** Figure of a day with its rule; times are minutes, instants minutes since 1970. */
export interface RuledFigure {
  readonly kind: 'continuous' | 'duty' | 'daily';
  readonly minutes: number;
  /** Start of the first trip and end of the last one that the figure covers. */
  readonly from: number;
  readonly to: number;
  /** Usual limit, and exceptional limit. */
  readonly usual: number;
  readonly most: number;
  readonly outcome: 'within' | 'exceptional' | 'beyond';
}

/** Result of the rules for a day. */
export interface RuledDay {
  readonly rules: Exclude<DrivingRules, 'off'>;
  readonly figures: readonly RuledFigure[];
  /** Breaks that determine the continuous driving time. */
  readonly weighed: ReadonlySet<DayBreak>;
}

interface Rule {
  readonly limits: readonly (readonly [kind: RuledFigure['kind'], usual: number, most: number])[];
  /** Minimum break of this rule in minutes. */
  readonly shortest: number;
  /** Selects the breaks that count among the sufficiently long ones. */
  readonly counting: (breaks: readonly DayBreak[]) => readonly DayBreak[];
  /** Returns true if the breaks taken since driving began, the last one just now, interrupt the driving. */
  readonly interrupts: (minutes: readonly number[]) => boolean;
}

const HOUR = 60;
const sum = (minutes: readonly number[]): number => minutes.reduce((all, each) => all + each, 0);
/** Shortest break that counts as "about ten minutes": it rounds to ten in steps of five. */
const ABOUT_TEN = 8;

const RULES: Readonly<Record<RuledDay['rules'], Rule>> = {
  'japan-2024': {
    limits: [
      ['continuous', 4 * HOUR, 4.5 * HOUR],
      ['duty', 13 * HOUR, 15 * HOUR],
      // Limit for the mean of two days: one day alone cannot exceed it.
      ['daily', 9 * HOUR, Infinity],
    ],
    shortest: ABOUT_TEN,
    counting: (breaks) => breaks.filter((_, index) => !isOfThreeShort(breaks, index)),
    interrupts: (minutes) => sum(minutes) >= 30,
  },
  'eu-561': {
    limits: [
      ['continuous', 4.5 * HOUR, 4.5 * HOUR],
      ['daily', 9 * HOUR, 10 * HOUR],
    ],
    shortest: 15,
    counting: (breaks) => breaks,
    // 45 minutes, or 15 and then 30 (article 7).
    interrupts: (minutes) => {
      const last = minutes.at(-1) ?? 0;
      return last >= 45 || (last >= 30 && minutes.length > 1);
    },
  },
};

/** True if a break is one of three or more in a row that are shorter than ten minutes. */
function isOfThreeShort(breaks: readonly DayBreak[], index: number): boolean {
  const isShort = (at: number): boolean => (breaks[at]?.minutes ?? Infinity) < 10;
  return [index - 2, index - 1, index].some((first) => isShort(first) && isShort(first + 1) && isShort(first + 2));
}

/**
 * Checks a day against rules, by the printed trip times and breaks. Idling within a trip interrupts nothing, and time
 * without a record is no rest. Work before the first trip is unknown: all figures are lower bounds.
 *
 * @returns undefined without rules, or without a counted trip
 */
export function judgeDay(
  rules: DrivingRules,
  trips: readonly DayTrip[],
  breaks: readonly DayBreak[],
  totals: DayTotals,
): RuledDay | undefined {
  const drives = trips.filter(isCounted).map(({ start, end }) => ({ from: start ?? 0, to: end ?? 0 }));
  const [first, last] = [drives[0], drives.at(-1)];
  if (rules === 'off' || first === undefined || last === undefined) return undefined;
  const rule = RULES[rules];
  const weighed = breaks.filter(({ gap, minutes }) => gap === undefined && minutes >= rule.shortest);
  const day = { from: first.from, to: last.to };
  const spans = {
    continuous: longestDriving(drives, rule.counting(weighed), rule.interrupts),
    duty: { ...day, minutes: totals.dutyMinutes },
    daily: { ...day, minutes: totals.tripMinutes },
  };
  const figures = rule.limits.map(([kind, usual, most]): RuledFigure => {
    const { minutes } = spans[kind];
    const outcome = minutes <= usual ? 'within' : minutes <= most ? 'exceptional' : 'beyond';
    return { kind, usual, most, outcome, ...spans[kind] };
  });
  return { rules, figures, weighed: new Set(weighed) };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the longest driving without an interrupting break. */
function longestDriving(
  drives: readonly Span[],
  breaks: readonly DayBreak[],
  interrupts: Rule['interrupts'],
): Span & { readonly minutes: number } {
  let longest = { from: 0, to: 0, minutes: 0 };
  let open: typeof longest | undefined;
  let taken: number[] = [];
  let next = 0;
  for (const { from, to } of drives) {
    for (let pause = breaks[next]; pause !== undefined && pause.to <= from; pause = breaks[(next += 1)]) {
      taken.push(pause.minutes);
      if (!interrupts(taken)) continue;
      taken = [];
      open = undefined;
    }
    open = { from: open?.from ?? from, to, minutes: (open?.minutes ?? 0) + to - from };
    if (open.minutes > longest.minutes) longest = open;
  }
  return longest;
}
