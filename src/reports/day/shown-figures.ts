/**
 * What is printed is what is summed: the one place where figures of a report are rounded. Whatever is computed
 * afterwards is computed from what these functions return, so that adding up the paper gives the paper's totals.
 *
 * Instants are whole minutes since 1970, durations whole minutes, distances hundreds of metres, mean speeds tenths
 * of km/h, times over the limit whole seconds. A duration is its shown end minus its shown start.
 */

const MINUTE_MS = 60_000;

/** The minute a clock on the wall shows; UTC offsets are whole minutes, so it is the same one in all of them. */
export function shownMinute(epoch: number): number {
  return Math.floor(epoch / MINUTE_MS);
}

/** Metres as hundreds of metres. */
export function shownDistance(meters: number): number {
  return Math.round(meters / 100);
}

/** Idling in minutes; rounding never makes it longer than the trip it is part of. */
export function shownIdling(seconds: number, tripMinutes: number): number {
  return Math.min(Math.round(seconds / 60), tripMinutes);
}

/** A speed in whole km/h; with tenths, rounded up, where it is over the limit and a whole number would deny it. */
export function shownSpeed(kmh: number, limitKmh: number): number {
  const whole = Math.round(kmh);
  if (kmh <= limitKmh || whole > limitKmh) return whole;
  return Math.max(Math.ceil(kmh * 10 - 1e-6), Math.floor(limitKmh * 10) + 1) / 10;
}

/** Which of two shown speeds of the same trip counts, and who says so. */
export interface ShownTop {
  readonly kmh: number;
  readonly source: 'both' | 'reported' | 'track';
}

/** The greater of the speed that the vehicle reported and the top of its track; both as they are shown. */
export function shownTop(reported: number | null, track: number | null): ShownTop | null {
  if (reported === null) return track === null ? null : { kmh: track, source: 'both' };
  if (track === null || track === reported) return { kmh: reported, source: 'both' };
  return reported > track ? { kmh: reported, source: 'reported' } : { kmh: track, source: 'track' };
}

/**
 * The mean speed over shown driving time, in tenths of km/h. Minutes are too coarse for some short trips: what
 * would be faster than `maxKmh` is not known.
 */
export function shownAverage(hectometers: number, drivingMinutes: number, maxKmh: number): number | null {
  if (drivingMinutes <= 0) return null;
  const tenths = Math.round((hectometers * 60) / drivingMinutes);
  return tenths <= maxKmh * 10 ? tenths : null;
}
