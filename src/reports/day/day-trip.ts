import type { ShownTop } from './shown-figures.js';
import type { OverLimit, SpeedStretch } from './speed-series.js';
import type { TrackReading } from './trip-positions.js';

/** Reason for excluding a trip from the sums: its times. */
export type TimeFault = 'incomplete' | 'duplicate' | 'overlap' | 'other day';

/** Verdict on a trip. `other` is the number, from 1, of the conflicting trip of the day. */
export type Verdict =
  | { readonly kind: 'counted' }
  /** The trip began on the day before, and the report of that day counts it. */
  | { readonly kind: 'carried over' }
  | { readonly kind: 'impossible'; readonly fault: TimeFault; readonly other?: number };

/** Figure of a trip that its track does not support. Distances are hundreds of metres, speeds km/h. */
export type Unsupported =
  /** The way is the straight line between the ends, or the track; the reported distance differs. */
  | { readonly figure: 'distance'; readonly way: number; readonly isLine: boolean }
  /** The vehicle drove at most, or at least, for so many minutes by its track. */
  | { readonly figure: 'driving'; readonly moving: number; readonly isMost: boolean }
  /** The least minutes of driving of a trip that is slower than any. */
  | { readonly figure: 'slow'; readonly moving: number }
  /** Mean of the speeds at one place, and a stand by its speeds on a way. */
  | { readonly figure: 'parked'; readonly minutes: number; readonly kmh: number }
  | { readonly figure: 'carried'; readonly minutes: number; readonly way: number }
  | { readonly figure: 'silence'; readonly minutes: number }
  /** Mean of the measured speeds, and mean speed along the way. */
  | { readonly figure: 'speeds'; readonly measured: number; readonly ofWay: number }
  /** Readings that the places before and behind them exclude. */
  | { readonly figure: 'top'; readonly readings: number; readonly kmh: number };

/** Findings that put a figure of a trip in doubt, by its column. */
export const DOUBTS: Readonly<Record<'distance' | 'driving' | 'top', readonly Unsupported['figure'][]>> = {
  distance: ['distance'],
  driving: ['driving', 'slow', 'parked', 'carried', 'silence'],
  top: ['speeds', 'top'],
};

/** Time of a trip in epoch milliseconds in which its track shows no driving; its state is one of `standing.ts`. */
export interface Stand {
  readonly state: number;
  readonly from: number;
  readonly to: number;
}

/** Trip as printed; a figure is null if the backend's is impossible. Instants are minutes since 1970. */
export interface DayTrip {
  readonly verdict: Verdict;
  readonly start: number | null;
  readonly end: number | null;
  readonly startAddress: string | null;
  readonly endAddress: string | null;
  readonly hectometers: number | null;
  /** Figures that the track does not support; none of a trip that does not count. */
  readonly unsupported: readonly Unsupported[];
  readonly stands: readonly Stand[];
  readonly minutes: number | null;
  readonly idleMinutes: number | null;
  readonly stops: number | null;
  readonly top: ShownTop | null;
  /** Mean speed over the driving time, in tenths of km/h. */
  readonly average: number | null;
  readonly isOverLimit: boolean;
  readonly overLimit: OverLimit;
  /** True if it is too short to begin or to end anything for certain: less than 100 m and less than a minute. */
  readonly isBrief: boolean;
  /** Speeds in order of time, split at silences; none if they were not measured. Places that are wrong are NaN. */
  readonly stretches: readonly (readonly TrackReading[])[];
  readonly track: readonly TrackReading[];
  /** Longest time between two readings that is not a silence, in milliseconds. */
  readonly longestKnown: number;
  /** Parts of `stretches` over the limit, as drawn in the chart; `overLimit` counts them. */
  readonly partsOverLimit: readonly SpeedStretch[];
}

/** Time between two reported trips without driving. Instants are minutes since 1970. */
export interface DayBreak {
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
  readonly address: string | null;
  /** Reason why it does not count as a break; undefined if it counts. */
  readonly gap: RecordGap | undefined;
}

/** Reason to doubt that the vehicle stood still. */
export type RecordGap =
  /** The next trip starts this far from the end of the last one. */
  | { readonly kind: 'elsewhere'; readonly meters: number }
  /** The last trip lacks its end time, or the next one its start time. */
  | { readonly kind: 'no time' };

export function isCounted({ verdict }: Pick<DayTrip, 'verdict'>): boolean {
  return verdict.kind === 'counted';
}

/** True if a trip is drawn on chart and route. Trips of another day and duplicates are not drawn. */
export function isDrawn({ verdict }: Pick<DayTrip, 'verdict'>): boolean {
  return verdict.kind !== 'impossible' || (verdict.fault !== 'other day' && verdict.fault !== 'duplicate');
}
