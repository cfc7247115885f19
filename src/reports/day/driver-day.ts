import type { ReportedTrip, TripAddresses } from '../model.js';
import { totalsOf } from './day-totals.js';
import { type DayBreak, type DayTrip, isCounted, isDrawn, type RecordGap } from './day-trip.js';
import { distanceBetween } from './earth.js';
import { LeftOut, type Position } from './plausible.js';
import { readTrip } from './read-trip.js';
import type { DrivingDay } from './report-date.js';
import type { SpeedLimit } from './speed-series.js';
import { isWithoutSpeed } from './standing.js';
import { unsupported } from './track-check.js';
import { COUNTED, verdictsOf } from './verdict.js';
import { TrackReading, type TripPlaces, tripPlaces } from './trip-positions.js';

/** Day of a driver in order of time, with everything impossible removed or flagged. */
export type DriverDay = ReturnType<typeof driverDay>;

/** Trips of a day with their tracks read, before their addresses are known. */
export type ReadTrips = ReturnType<typeof readTrips>;

/**
 * Reads the trips of a driver. Never throws: leaves out impossible data, and counts it. Places of trips that are not
 * drawn still decide which of two distant places is wrong.
 *
 * @returns trips in order of time, each with its index in the record
 */
export function readTrips(
  reported: readonly ReportedTrip[],
  { from, to, fetchedAt }: Pick<DrivingDay, 'from' | 'to' | 'fetchedAt'>,
  limit: SpeedLimit,
) {
  const leftOut = new LeftOut();
  const span = { from: Date.parse(from), to: Date.parse(to), fetchedAt };
  const trips = reported
    // V8 takes a microsecond for each property that is added to a spread, and for `assign` a tenth.
    .map((trip, index) => Object.assign(readTrip(trip, span, limit, leftOut), { index }))
    .sort(({ trip: a }, { trip: b }) => inOrder(a.start, b.start) || inOrder(a.end, b.end));
  const fixes = trips.map((each) => each.fixes);
  return { trips, places: tripPlaces(fixes, leftOut), leftOut };
}

/** Returns the possible ends of the trips: only their addresses are printed. */
export function possibleEnds({ places }: ReadTrips): readonly Position[] {
  return places.flatMap(({ start, end }) => [start, end].filter((place) => place !== undefined));
}

const NOTHING = { unsupported: [], stands: [] } as const;

/** Judges and totals the trips of a driver. @param addresses of the trips, in the order of the record */
export function driverDay({ trips, places, leftOut }: ReadTrips, addresses: readonly TripAddresses[], day: DrivingDay) {
  const verdicts = verdictsOf(trips, day);
  const isTracked = trips.some(({ fixes }) => fixes.track.length > 0);
  const dayTrips = trips.map(({ trip, fixes, doubted, index }, order): DayTrip => {
    const [place, verdict = COUNTED] = [places[order], verdicts[order]];
    const { startAddress = null, endAddress = null } = addresses[index] ?? {};
    const known = place?.track ?? [];
    const hasSpeed = !isWithoutSpeed(known);
    if (!hasSpeed) leftOut.speeds += known.length;
    const track = hasSpeed ? known : known.map(({ time, lat, lng }) => new TrackReading(time, NaN, lat, lng));
    // Most tracks have no wrong place, and are not copied.
    const possible = known.length < fixes.track.length ? new Set(known) : undefined;
    const placed = (each: TrackReading): TrackReading =>
      possible?.has(each) ? each : new TrackReading(each.time, each.kmh, NaN, NaN);
    const stretches = possible ? trip.stretches.map((stretch) => stretch.map(placed)) : trip.stretches;
    const read = Object.assign(trip, { track, stretches: hasSpeed ? stretches : [] });
    const found =
      place === undefined || !isCounted({ verdict })
        ? NOTHING
        : unsupported(read, fixes, { ...place, track }, { doubted, isTracked });
    return Object.assign(read, {
      // An address is removed together with its place.
      startAddress: place?.start === undefined ? null : startAddress,
      endAddress: place?.end === undefined ? null : endAddress,
      unsupported: found.unsupported,
      stands: found.stands,
      verdict,
    });
  });
  // Positions of each drawn trip, whether the trip counts or not.
  const positions = dayTrips.flatMap((trip, index) => (isDrawn(trip) ? [places[index]?.parts ?? []] : []));
  const breaks = breaksOf(dayTrips, places);
  return { trips: dayTrips, breaks, positions, totals: totalsOf(dayTrips, breaks), leftOut, places };
}

/** Compares printed minutes, so that a zero-minute trip precedes a longer one with the same start; unknown last. */
function inOrder(a: number | null, b: number | null): number {
  return (a ?? Infinity) - (b ?? Infinity) || 0;
}

/** Distance between the end of a trip and the start of the next that shows an unrecorded drive in between. */
const ELSEWHERE_METERS = 1_000;

/** Known driving time of a trip. Instants are minutes since 1970. */
interface Drive {
  readonly from: number;
  readonly to: number;
  readonly trip: DayTrip;
  readonly places: TripPlaces | undefined;
}

/**
 * Returns the pauses between the first and the last counted trip, in the order of the day. Every reported trip of the
 * day ends a pause, whatever its figures; consecutive trips without a gap have no pause between them.
 *
 * @param places of the trips, in their order
 */
export function breaksOf(trips: readonly DayTrip[], places: readonly TripPlaces[]): readonly DayBreak[] {
  const drives = trips.flatMap((trip, index): Drive[] => {
    const { verdict, start, end } = trip;
    const [one, other] = [start ?? end, end ?? start];
    const isOfOtherDay = verdict.kind === 'impossible' && verdict.fault === 'other day';
    if (one === null || other === null || isOfOtherDay) return [];
    return [{ from: Math.min(one, other), to: Math.max(one, other), trip, places: places[index] }];
  });
  const begin = trips.find(isCounted)?.start ?? Infinity;
  const end = trips.findLast(isCounted)?.start ?? -Infinity;
  const breaks: DayBreak[] = [];
  let last: Drive | undefined;
  for (const drive of drives.sort((a, b) => a.from - b.from || a.to - b.to)) {
    const { from } = drive;
    if (from > end) break;
    if (last !== undefined && last.to >= begin && from > last.to) {
      const { to, trip } = last;
      breaks.push({ from: to, to: from, minutes: from - to, address: trip.endAddress, gap: gapBetween(last, drive) });
    }
    if (last === undefined || drive.to >= last.to) last = drive;
  }
  return breaks;
}

function gapBetween(last: Drive, next: Drive): RecordGap | undefined {
  if (last.trip.end === null || next.trip.start === null) return { kind: 'no time' };
  const [from, to] = [last.places?.end ?? last.places?.track.at(-1), next.places?.start ?? next.places?.track[0]];
  const meters = from === undefined || to === undefined ? 0 : distanceBetween(from, to);
  return meters >= ELSEWHERE_METERS ? { kind: 'elsewhere', meters } : undefined;
}
