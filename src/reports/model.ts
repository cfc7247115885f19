import type { DrivingRules, ReportLocale } from '../base/config/config.js';
import type { Position } from './day/plausible.js';
import type { Logo } from './logo.js';
import type { ReportForm } from './report-form.js';

/** Position in degrees (WGS 84) with its RFC 3339 time; untrusted, because the receiver may be broken. */
export interface Fix {
  readonly time: string;
  readonly lat: number;
  readonly lng: number;
}

/** Position on a trip with the speed measured there, in km/h. */
export interface TrackPoint extends Fix {
  readonly speedKmh: number;
}

/** Trip of a driving day. Addresses are null if geo-api knows none; unreadable numbers are NaN, and times empty. */
export interface ReportTrip {
  readonly start: Fix;
  readonly end: Fix;
  readonly startAddress: string | null;
  readonly endAddress: string | null;
  readonly distanceMeters: number;
  readonly stopCount: number;
  readonly maxSpeedKmh: number;
  readonly idleSeconds: number;
  readonly track: readonly TrackPoint[];
}

export type TripAddresses = Pick<ReportTrip, 'startAddress' | 'endAddress'>;

export type ReportedTrip = Omit<ReportTrip, keyof TripAddresses>;

/**
 * Sends the trips of a day to the drawing thread, which reads their tracks instead of the thread that serves requests.
 * Returns the number by which the thread knows the day, and the ends of its trips that are possible: only their
 * addresses are printed. Rejects like the report if it fails or ends.
 */
export type ReadEnds = (
  trips: readonly ReportedTrip[],
) => Promise<{ readonly sent: number; readonly ends: readonly Position[] }>;

/** Vehicle of a mobile, with the names its operator uses. */
export interface ReportVehicle {
  readonly num: string;
  readonly name: string;
}

/** Driver, with the field names of the driving report request (specification, heading Resources). */
export interface ReportDriver {
  readonly mobileId: string;
  readonly employeeCode: string;
  readonly employeeName: string;
  /** Absent if unavailable; the page is made without it. */
  readonly vehicle?: ReportVehicle | undefined;
}

/** Returns the key of the person of a driver: the employee code, or the name without one. */
export function personOf({ employeeCode, employeeName }: ReportDriver): string {
  const code = employeeCode.trim();
  return code === '' ? `name ${employeeName.trim()}` : `code ${code}`;
}

export type FailureReason =
  | 'not found'
  | 'forbidden'
  | 'bad id'
  | 'day not begun'
  | 'refused'
  | 'unavailable'
  | 'unreadable'
  | 'internal error'
  | 'out of time'
  | 'cancelled';

/** Trips of a mobile of a person, or their number in the drawing thread; undefined if they could not be fetched. */
export interface PersonMobile<List = readonly ReportedTrip[]> {
  readonly mobileId: string;
  readonly trips: List | undefined;
  /** Trips of the 24 hours before the day. */
  readonly before: List | undefined;
  readonly isShared: boolean;
}

export interface WeighedTrips<List = readonly ReportedTrip[]> {
  /** Mobiles of the person; the first is that of the page, whose trips of the day are those of the page. */
  readonly mobiles: readonly PersonMobile<List>[];
  /** True if the employee code is on too many mobiles to be one person. */
  readonly isNoPerson: boolean;
}

export interface DayFacts<List = readonly ReportedTrip[]> {
  readonly kind: 'day';
  readonly driver: ReportDriver;
  readonly addressesMissing?: boolean;
  /** True if the request names several people with this mobile. */
  readonly isShared?: boolean;
  /** Further trips for the driving time rules; absent without rules. */
  readonly weighed?: WeighedTrips<List> | undefined;
}

export interface FailedDay {
  readonly kind: 'failed';
  readonly driver: ReportDriver;
  readonly reason: FailureReason;
  /** Message of a backend, in its own language. */
  readonly detail?: string | undefined;
}

export interface DayOutcome extends DayFacts {
  readonly trips: readonly ReportTrip[];
  /** Number of a day that the drawing thread has read for this report, and that is not sent again. */
  readonly sent?: number | undefined;
}

export type DriverOutcome = DayOutcome | FailedDay;

/** Returns the trips of a person with each list replaced; a list that could not be fetched stays undefined. */
export function withLists<From, To>(
  weighed: WeighedTrips<From> | undefined,
  replace: (list: From) => To,
): WeighedTrips<To> | undefined {
  const replaced = (list: From | undefined): To | undefined => (list === undefined ? undefined : replace(list));
  const mobiles = weighed?.mobiles.map((mobile) => ({
    ...mobile,
    trips: replaced(mobile.trips),
    before: replaced(mobile.before),
  }));
  return weighed && mobiles && { ...weighed, mobiles };
}

/** Page on which a vehicle counts, and whether its driver is the same. */
export interface CountedPage {
  readonly page: number;
  readonly isSame: boolean;
}

/** Facts of a report known before its first driver. */
export interface ReportOptions {
  readonly jobId: string;
  readonly org: string | undefined;
  readonly organisation?: string | undefined;
  readonly logo?: Logo | undefined;
  /** User who ordered the report, as printed; absent without one. */
  readonly orderedBy?: string | undefined;
  readonly createdAt: Date;
  /** RFC 3339 text of the request. Without a time zone, its own offset determines the day and all times. */
  readonly date: string;
  /** Zone of the day and of all times, as named in the IANA Time Zone Database. */
  readonly timeZone?: string | undefined;
  /** Time of which the trips are; after the day if absent. */
  readonly fetchedAt?: Date | undefined;
  /** Number of outcomes to follow; determines the number of cover pages. */
  readonly driverCount: number;
  readonly locale: ReportLocale;
  readonly speedLimitKmh: number;
  /** Minimum time over the limit that counts as a stretch. */
  readonly overLimitMinSeconds: number;
  /** Driving time rules that days are checked against. */
  readonly drivingRules: DrivingRules;
  /** Parts filled in by hand; the default of the language if absent. */
  readonly form?: ReportForm | undefined;
}

/** Result of a report; `undefined` if drawing did not complete. */
export interface DrawnPages {
  readonly pages: number;
  /** Drawing time of the thread, without waiting for data and other reports, in milliseconds. */
  readonly drawingMs: number;
}

/** Facts known once the bytes of a report have been read. */
export interface DrawnFile {
  /** Characters that no font has and that are printed as 〓, counted once per text. */
  readonly missingCharacters: ReadonlyMap<string, number>;
  /** Figures of the report as CSV, in UTF-8. */
  readonly table: AsyncIterable<Uint8Array>;
}

declare module '../base/observation.js' {
  interface ObservedWork {
    /** A report from its admission until drawing ends, complete or not. */
    report: Observed<undefined, DrawnPages | undefined>;
    /** A start of the drawing threads that failed. */
    drawingStart: Observed<undefined, 'failed'>;
  }
}
