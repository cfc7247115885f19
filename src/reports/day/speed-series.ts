import { MAX_SILENCE_MS } from './silence.js';

/** A speed and the epoch milliseconds at which it was measured. */
export interface SpeedReading {
  readonly time: number;
  readonly kmh: number;
}

/** A stretch of the day for which speeds are known, in order of time. */
export type SpeedStretch = readonly SpeedReading[];

/** The speeds of a trip in stretches, broken at long silences. */
export function splitAtSilence(speeds: readonly SpeedReading[]): readonly SpeedStretch[] {
  const stretches: SpeedReading[][] = [];
  let previous = -Infinity;
  for (const reading of speeds) {
    if (reading.time - previous > MAX_SILENCE_MS) stretches.push([]);
    stretches.at(-1)?.push(reading);
    previous = reading.time;
  }
  return stretches;
}

/**
 * Thins a stretch for a chart in which `slot` milliseconds are narrower than a line: of each slot the first,
 * lowest, highest and last reading stay, so that no peak disappears.
 */
export function thin(stretch: SpeedStretch, slot: number): SpeedStretch {
  const first = stretch[0];
  const last = stretch.at(-1);
  if (first === undefined || last === undefined || stretch.length * slot <= 2 * (last.time - first.time)) {
    return stretch;
  }
  const slotOf = (index: number): number => Math.floor(((stretch[index]?.time ?? 0) - first.time) / slot);
  const kmhAt = (index: number): number => stretch[index]?.kmh ?? 0;
  const kept: SpeedReading[] = [];
  let begin = 0;
  while (begin < stretch.length) {
    const current = slotOf(begin);
    let end = begin;
    let low = begin;
    let high = begin;
    while (end < stretch.length && slotOf(end) === current) {
      if (kmhAt(end) < kmhAt(low)) low = end;
      if (kmhAt(end) > kmhAt(high)) high = end;
      end += 1;
    }
    const chosen = [...new Set([begin, low, high, end - 1])].sort((a, b) => a - b);
    for (const index of chosen) {
      const reading = stretch[index];
      if (reading !== undefined) kept.push(reading);
    }
    begin = end;
  }
  return kept;
}

/** The parts of a stretch above the limit, cut where the line between two readings crosses it. */
export function partsAbove(stretch: SpeedStretch, limitKmh: number): readonly SpeedStretch[] {
  const parts: SpeedReading[][] = [];
  let open: SpeedReading[] | undefined;
  let previous: SpeedReading | undefined;
  for (const reading of stretch) {
    const wasAbove = previous !== undefined && previous.kmh > limitKmh;
    const isAbove = reading.kmh > limitKmh;
    if (isAbove && open === undefined) {
      open = [];
      if (previous !== undefined && !wasAbove) open.push(crossing(previous, reading, limitKmh));
      parts.push(open);
    }
    if (isAbove) open?.push(reading);
    else if (open !== undefined && previous !== undefined) {
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
