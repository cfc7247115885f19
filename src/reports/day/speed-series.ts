import { shownSpeed } from './shown-figures.js';

/** Speed with its measurement time in epoch milliseconds. */
export interface SpeedReading {
  readonly time: number;
  readonly kmh: number;
}

/** Known speeds of a part of the day, in order of time. */
export type SpeedStretch = readonly SpeedReading[];

/**
 * Splits the readings of a trip at silences.
 *
 * @param longestKnown longest time between two readings that is not a silence, in milliseconds
 */
export function splitAtSilence<Reading extends { readonly time: number }>(
  readings: readonly Reading[],
  longestKnown: number,
): readonly Reading[][] {
  const stretches: Reading[][] = [];
  let previous = -Infinity;
  for (const reading of readings) {
    if (reading.time - previous > longestKnown) stretches.push([]);
    stretches.at(-1)?.push(reading);
    previous = reading.time;
  }
  return stretches;
}

/**
 * Thins a stretch for a chart in which `slot` milliseconds are narrower than a line: keeps the first, lowest, highest
 * and last reading of each slot, so that no peak disappears.
 */
export function thin(stretch: SpeedStretch, slot: number): SpeedStretch {
  const [first, end] = [stretch[0], stretch.at(-1)];
  if (first === undefined || end === undefined || stretch.length * slot <= 2 * (end.time - first.time)) return stretch;
  const slotOf = ({ time }: SpeedReading): number => Math.floor((time - first.time) / slot);
  const kept: SpeedReading[] = [];
  let [begin, low, high, last] = [first, first, first, first];
  const keep = (): void => {
    kept.push(...[...new Set([begin, low, high, last])].sort((a, b) => a.time - b.time));
  };
  for (const reading of stretch) {
    if (slotOf(reading) !== slotOf(begin)) {
      keep();
      begin = low = high = reading;
    }
    if (reading.kmh < low.kmh) low = reading;
    if (reading.kmh > high.kmh) high = reading;
    last = reading;
  }
  keep();
  return kept;
}

/** Maximum speed change of a vehicle in a second, in km/h. */
const MAX_CHANGE = 15;
/** Time resolution of receivers. */
const RESOLUTION_MS = 1_000;

/** True if a vehicle with the speed of the reading before, or after, could not have reached this speed. */
export function isSpike(before: SpeedReading | undefined, reading: SpeedReading, after?: SpeedReading): boolean {
  if (before === undefined && after === undefined) return false;
  return standsOut(reading, before) && standsOut(reading, after);
}

function standsOut({ time, kmh }: SpeedReading, neighbour: SpeedReading | undefined): boolean {
  if (neighbour === undefined) return true;
  const seconds = Math.max(RESOLUTION_MS, Math.abs(time - neighbour.time)) / 1000;
  return kmh - neighbour.kmh > MAX_CHANGE * seconds;
}

/** Gap below which pieces form one stretch: a short drop below the limit does not end it. */
const JOINED_MS = 10_000;

/** Number, duration and highest value of speeds over the limit. */
export interface OverLimit {
  /** Number of stretches over the limit that last for the minimum time or longer. */
  readonly stretches: number;
  /** Whole seconds, stretches below the minimum time included. */
  readonly seconds: number;
  /** Whole seconds of the longest stretch, and the highest speed in any, in km/h; 0 without a stretch. */
  readonly longest: number;
  readonly highest: number;
  /** Readings over the limit of unknown duration. */
  readonly readings: number;
}

export const NEVER_OVER: OverLimit = { stretches: 0, seconds: 0, longest: 0, highest: 0, readings: 0 };

/** Adds up the times over the limit of trips or days. */
export function sumOfOverLimit(parts: readonly { readonly overLimit: OverLimit }[]): OverLimit {
  if (parts.every(({ overLimit }) => overLimit === NEVER_OVER)) return NEVER_OVER;
  const sum = { ...NEVER_OVER };
  for (const { overLimit } of parts) {
    sum.stretches += overLimit.stretches;
    sum.seconds += overLimit.seconds;
    sum.longest = Math.max(sum.longest, overLimit.longest);
    sum.highest = Math.max(sum.highest, overLimit.highest);
    sum.readings += overLimit.readings;
  }
  return sum;
}

/** Speed limit and its minimum time. */
export interface SpeedLimit {
  readonly limitKmh: number;
  /** Minimum time over the limit that counts as a stretch. */
  readonly minSeconds: number;
}

/** Longest time between two readings that counts as seconds over the limit: a minute is long enough to slow down in. */
const MAX_COUNTED_MS = 30_000;

/** Counts the parts of a trip above the limit. Readings that are too far apart for seconds are counted themselves. */
export function overLimitOf(stretches: readonly SpeedStretch[], { limitKmh, minSeconds }: SpeedLimit): OverLimit {
  const parts = stretches
    .flatMap((stretch) => splitAtSilence(stretch, MAX_COUNTED_MS))
    .flatMap((stretch) => partsAbove(stretch, limitKmh));
  const joined: { until: number; milliseconds: number; highest: number }[] = [];
  let readings = 0;
  for (const part of parts) {
    const [from, until] = [part[0]?.time ?? 0, part.at(-1)?.time ?? 0];
    if (until === from) {
      readings += part.filter(({ kmh }) => kmh > limitKmh).length;
      continue;
    }
    let last = joined.at(-1);
    if (last === undefined || from - last.until >= JOINED_MS)
      joined.push((last = { until, milliseconds: 0, highest: 0 }));
    last.until = until;
    last.milliseconds += until - from;
    for (const { kmh } of part) last.highest = Math.max(last.highest, kmh);
  }
  const counted = joined.filter(({ milliseconds }) => milliseconds >= minSeconds * 1000);
  const greatest = (figure: 'milliseconds' | 'highest'): number => Math.max(0, ...counted.map((each) => each[figure]));
  const sum = joined.reduce((total, { milliseconds }) => total + milliseconds, 0);
  return {
    stretches: counted.length,
    seconds: Math.round(sum / 1000),
    longest: Math.round(greatest('milliseconds') / 1000),
    highest: shownSpeed(greatest('highest'), limitKmh),
    readings,
  };
}

/** Returns the parts of a stretch above the limit, cut at the crossings of the line between two readings. */
export function partsAbove(stretch: SpeedStretch, limitKmh: number): readonly SpeedStretch[] {
  const parts: SpeedReading[][] = [];
  let open: SpeedReading[] | undefined;
  let previous: SpeedReading | undefined;
  for (const reading of stretch) {
    if (reading.kmh > limitKmh) {
      if (open === undefined) {
        open = previous === undefined ? [] : [crossing(previous, reading, limitKmh)];
        parts.push(open);
      }
      open.push(reading);
    } else if (open !== undefined && previous !== undefined) {
      open.push(crossing(previous, reading, limitKmh));
      open = undefined;
    }
    previous = reading;
  }
  return parts;
}

function crossing(from: SpeedReading, to: SpeedReading, limitKmh: number): SpeedReading {
  const share = (limitKmh - from.kmh) / (to.kmh - from.kmh);
  return { time: from.time + (to.time - from.time) * share, kmh: limitKmh };
}
