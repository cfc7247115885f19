/**
 * Rounding of all figures of a report. All later computations use these results, so that adding up the printed figures
 * gives the printed totals.
 *
 * Instants are whole minutes since 1970, durations whole minutes, distances hundreds of metres, mean speeds tenths of
 * km/h, times over the limit whole seconds. A duration is its shown end minus its shown start.
 */

const MINUTE_MS = 60_000;

/** Returns the minute that a wall clock shows; the same in all UTC offsets, which are whole minutes. */
export function shownMinute(epoch: number): number {
  return Math.floor(epoch / MINUTE_MS);
}

/** Converts metres to hundreds of metres. */
export function shownDistance(meters: number): number {
  return Math.round(meters / 100);
}

/** Returns idling in minutes, limited to the length of its trip. */
export function shownIdling(seconds: number, tripMinutes: number): number {
  return Math.min(Math.round(seconds / 60), tripMinutes);
}

/** Rounds a speed to whole km/h; if that hides a speed over the limit, rounds up to tenths. */
export function shownSpeed(kmh: number, limitKmh: number): number {
  const whole = Math.round(kmh);
  if (kmh <= limitKmh || whole > limitKmh) return whole;
  return Math.max(Math.ceil(kmh * 10 - 1e-6), Math.floor(limitKmh * 10) + 1) / 10;
}

/** Top speed of a trip and its source. */
export interface ShownTop {
  readonly kmh: number;
  readonly source: 'both' | 'reported' | 'track';
}

/** Returns the greater of the reported speed and the top of the track; both as shown. */
export function shownTop(reported: number | null, track: number | null): ShownTop | null {
  if (reported === null) return track === null ? null : { kmh: track, source: 'both' };
  if (track === null || track === reported) return { kmh: reported, source: 'both' };
  return reported > track ? { kmh: reported, source: 'reported' } : { kmh: track, source: 'track' };
}

/**
 * Returns the mean speed over shown driving time, in tenths of km/h. Minutes are too coarse for some short trips: a
 * result faster than `maxKmh` counts as unknown.
 */
export function shownAverage(hectometers: number, drivingMinutes: number, maxKmh: number): number | null {
  if (drivingMinutes <= 0) return null;
  const tenths = Math.round((hectometers * 60) / drivingMinutes);
  return tenths <= maxKmh * 10 ? tenths : null;
}
