import { isCounted, type DayBreak, type DayTrip, type RecordGap } from './day-trip.js';
import { distanceBetween } from './earth.js';
import type { TripPlaces } from './trip-positions.js';

/** Distance between the end of a trip and the next start beyond which the vehicle has been driven in between. */
const ELSEWHERE_METERS = 1_000;

/** Driving time of a trip, as far as known. Instants are minutes since 1970. */
interface Drive {
  readonly from: number;
  readonly to: number;
  readonly trip: DayTrip;
  readonly places: TripPlaces | undefined;
}

/**
 * Returns the pauses between the first and the last counted trip, in the order of the day. Every reported trip ends a
 * pause, whatever its figures; consecutive trips without a gap have no pause between them.
 *
 * @param places of the trips, in their order
 */
export function breaksOf(trips: readonly DayTrip[], places: readonly TripPlaces[]): readonly DayBreak[] {
  const begin = trips.find(isCounted)?.start ?? Infinity;
  const end = trips.findLast(isCounted)?.start ?? -Infinity;
  const breaks: DayBreak[] = [];
  let last: Drive | undefined;
  for (const drive of drivesOf(trips, places)) {
    if (drive.from > end) break;
    if (last !== undefined && last.to >= begin && drive.from > last.to) {
      const minutes = drive.from - last.to;
      breaks.push({
        from: last.to,
        to: drive.from,
        minutes,
        address: last.trip.endAddress,
        gap: gapBetween(last, drive),
      });
    }
    if (last === undefined || drive.to >= last.to) last = drive;
  }
  return breaks;
}

/** Returns the driving times of the trips in order, without those of other days. */
function drivesOf(trips: readonly DayTrip[], places: readonly TripPlaces[]): readonly Drive[] {
  const drives = trips.flatMap((trip, index): Drive[] => {
    const { standing, start, end } = trip;
    const known = [start, end].filter((minute) => minute !== null);
    if (known.length === 0 || (standing.kind === 'impossible' && standing.fault === 'other day')) return [];
    return [{ from: Math.min(...known), to: Math.max(...known), trip, places: places[index] }];
  });
  return drives.sort((a, b) => a.from - b.from || a.to - b.to);
}

function gapBetween(last: Drive, next: Drive): RecordGap | undefined {
  if (last.trip.end === null || next.trip.start === null) return { kind: 'no time' };
  const [from, to] = [last.places?.last, next.places?.first];
  const meters = from === undefined || to === undefined ? 0 : distanceBetween(from, to);
  return meters >= ELSEWHERE_METERS ? { kind: 'elsewhere', meters } : undefined;
}
