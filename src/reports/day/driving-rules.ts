import type { DrivingRules } from '../../base/config/config.js';
import { type BreakLaw, EUROPE, EUROPE_OCCASIONAL, JAPAN } from './rules-breaks.js';

/** Limit of a figure in minutes; a rest is marked if it is shorter. */
export interface Limit {
  readonly kind: 'continuous' | 'duty' | 'daily' | 'rest';
  /** Longer is marked △. */
  readonly usual: number;
  /** Longer is marked ▲: no exception that the data leaves open allows it. */
  readonly longest: number;
  /** Article, paragraph and point. */
  readonly source: readonly string[];
}

/** Figure of a duty over all choices of breaks; times are minutes, instants minutes since 1970. */
export interface RuledFigure extends Limit {
  readonly least: number;
  readonly most: number;
  /** Time of the greatest value. */
  readonly from: number;
  readonly to: number;
  /** True if driving before or after the record can make it longer. */
  readonly isOpen: boolean;
  /** True if it is marked for nothing but a gap in the record before the first trip. */
  readonly isOfGap: boolean;
  /** Mean of the duty and of the one before, at most; undefined if it is not known or does not count. */
  readonly mean?: number | undefined;
  /** `?`: some choices keep it within the limits, others do not. */
  readonly mark: '' | '?' | '△' | '▲';
}

export interface DrivingLaw {
  readonly limits: readonly Limit[];
  readonly breaks: BreakLaw;
  /** Rest that may begin a new duty, and rest that does so for certain, in minutes. */
  readonly rest: { readonly possible: number; readonly certain: number };
  /** True if stands of 3:00 or longer, by their lengths in order, may be a divided rest. */
  readonly isDivided: (stands: readonly number[]) => boolean;
  /** True if rest can be divided or be spent on a ferry within a duty, and is no part of it. */
  readonly hasRestWithinDuty: boolean;
  /** True if standing within a trip may be driving; a tachograph records none (Article 4(j)). */
  readonly isHaltDriving: boolean;
}

const HOUR = 60;

const EUROPEAN: DrivingLaw = {
  limits: [
    { kind: 'continuous', usual: 4.5 * HOUR, longest: 4.5 * HOUR, source: ['7'] },
    { kind: 'daily', usual: 9 * HOUR, longest: 10 * HOUR, source: ['6', '1'] },
    // 9:00 three times between weekly rests.
    { kind: 'rest', usual: 11 * HOUR, longest: 9 * HOUR, source: ['8', '2'] },
  ],
  breaks: EUROPE,
  rest: { possible: 9 * HOUR, certain: 9 * HOUR },
  // 3:00 and then 9:00.
  isDivided: (stands) => stands.slice(1).some((stand) => stand >= 9 * HOUR),
  hasRestWithinDuty: false,
  isHaltDriving: false,
};

/**
 * The Japanese notice of standards for the improvement of working hours of drivers (改善基準告示) of April 2024 for
 * trucks, Regulation (EC) No 561/2006, and the same with the breaks of occasional passenger services (Regulation (EU)
 * 2024/1258).
 */
export const RULES: Readonly<Record<Exclude<DrivingRules, 'off'>, DrivingLaw>> = {
  'japan-2024': {
    limits: [
      // 4:30 where no parking place was found.
      { kind: 'continuous', usual: 4 * HOUR, longest: 4.5 * HOUR, source: ['4', '1', '7'] },
      // 15:00, and 16:00 twice a week on long distances.
      { kind: 'duty', usual: 13 * HOUR, longest: 16 * HOUR, source: ['4', '1', '3'] },
      // Mean of two days: beyond twice the limit, no other day can make up for it.
      { kind: 'daily', usual: 9 * HOUR, longest: 18 * HOUR, source: ['4', '1', '6'] },
      // 8:00 twice a week on long distances.
      { kind: 'rest', usual: 9 * HOUR, longest: 8 * HOUR, source: ['4', '1', '5'] },
    ],
    breaks: JAPAN,
    // 8:00 twice a week on long distances.
    rest: { possible: 8 * HOUR, certain: 9 * HOUR },
    // Two parts of 10:00 in all, or three of 12:00.
    isDivided: (stands) => {
      const [first = 0, second = 0, third = 0] = stands.toSorted((a, b) => b - a);
      return second > 0 && (first + second >= 10 * HOUR || first + second + third >= 12 * HOUR);
    },
    hasRestWithinDuty: true,
    isHaltDriving: true,
  },
  'eu-561': EUROPEAN,
  'eu-561-occasional': { ...EUROPEAN, breaks: EUROPE_OCCASIONAL },
};
