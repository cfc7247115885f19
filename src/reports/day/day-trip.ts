import type { ShownTop } from './shown-figures.js';
import type { OverLimit, SpeedStretch } from './speed-series.js';

/** Why a trip is kept out of the sums. */
export type Fault = 'incomplete' | 'duplicate' | 'overlap' | 'idling' | 'other day' | 'too fast';

/** Whether a trip counts. `other` is the number, from 1, of the trip of the day that it gets into conflict with. */
export type Standing =
  | { readonly kind: 'counted' }
  /** It began the day before, in whose report it counts. */
  | { readonly kind: 'carried over' }
  | { readonly kind: 'impossible'; readonly fault: Fault; readonly other?: number };

/**
 * One trip as it is printed, every figure as `shown-figures` makes it; null where the backend's figure cannot be true.
 * Instants are minutes since 1970.
 */
export interface DayTrip {
  readonly standing: Standing;
  readonly start: number | null;
  readonly end: number | null;
  readonly startAddress: string | null;
  readonly endAddress: string | null;
  readonly hectometers: number | null;
  /** Whether the distance is less than a straight line between the ends. */
  readonly isShort: boolean;
  /** Its end minus its start. */
  readonly minutes: number | null;
  readonly idleMinutes: number | null;
  readonly stops: number | null;
  readonly top: ShownTop | null;
  /** Tenths of km/h over the time of driving. */
  readonly average: number | null;
  readonly isOverLimit: boolean;
  readonly overLimit: OverLimit;
  /** Speeds in order of time, in stretches between silences. */
  readonly stretches: readonly SpeedStretch[];
  /** The parts of them over the limit, as the chart draws them; `overLimit` counts them. */
  readonly partsOverLimit: readonly SpeedStretch[];
}

/** Time between two reported trips in which none drove. Instants are minutes since 1970. */
export interface DayBreak {
  readonly from: number;
  readonly to: number;
  readonly minutes: number;
  readonly address: string | null;
  /** Why it is no break; undefined when it is one. */
  readonly gap: RecordGap | undefined;
}

/** Why it is not known whether a vehicle stood still. */
export type RecordGap =
  /** The next trip starts so far from where the last one ended. */
  | { readonly kind: 'elsewhere'; readonly meters: number }
  /** The trip before or behind lacks the time of its end. */
  | { readonly kind: 'no time' };

/** Whether a trip is part of every sum. */
export function isCounted({ standing }: Pick<DayTrip, 'standing'>): boolean {
  return standing.kind === 'counted';
}

/** Whether a trip is drawn although it does not count; of another day, or drawn already, it is not. */
export function isDrawnAside({ standing }: Pick<DayTrip, 'standing'>): boolean {
  if (standing.kind === 'counted') return false;
  return standing.kind === 'carried over' || (standing.fault !== 'other day' && standing.fault !== 'duplicate');
}
