import type { DrivingRules } from './day/driving-rules.js';
import type { ReportForm } from './form/report-form.js';

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

/** Trip whose ends have no addresses yet. */
export type ReportedTrip = Omit<ReportTrip, 'startAddress' | 'endAddress'>;

/** Day that the drawing thread has read. */
export interface ReadDay {
  /** Number by which the thread knows its trips. */
  readonly sent: number;
  /** Ends of its trips that are possible: only their addresses are printed. */
  readonly ends: readonly Fix[];
}

/**
 * Sends the trips of a day to the drawing thread, which reads their tracks instead of the thread that serves requests.
 * Rejects like the report if it fails or ends.
 */
export type ReadEnds = (trips: readonly ReportedTrip[]) => Promise<ReadDay>;

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

/** Reason for a missing page of a driver. */
export type FailureReason =
  | 'not found'
  | 'forbidden'
  | 'bad id'
  | 'refused'
  | 'unavailable'
  | 'unreadable'
  | 'internal error'
  | 'out of time'
  | 'cancelled';

/** Trips of a mobile of a person; undefined if they could not be fetched. */
export interface PersonMobile {
  readonly mobileId: string;
  readonly trips: readonly ReportedTrip[] | undefined;
  /** Trips of the 24 hours before the day. */
  readonly before: readonly ReportedTrip[] | undefined;
  readonly isShared: boolean;
}

/** Trips that the driving time rules weigh. */
export interface WeighedTrips {
  /** Mobiles of the person; the first is that of the page, whose trips of the day are those of the page. */
  readonly mobiles: readonly PersonMobile[];
  /** True if the employee code is on too many mobiles to be one person. */
  readonly isNoPerson: boolean;
}

/** Result of one driver: a day to print, or the reason for its absence. */
export type DriverOutcome =
  | {
      readonly kind: 'day';
      readonly driver: ReportDriver;
      readonly trips: readonly ReportTrip[];
      /** Number of a day that the drawing thread has read for this report, and that is not sent again. */
      readonly sent?: number | undefined;
      /** True if the addresses could not be looked up. */
      readonly addressesMissing?: boolean;
      /** True if the request names several people with this mobile. */
      readonly isShared?: boolean;
      /** Further trips for the driving time rules; absent without rules. */
      readonly weighed?: WeighedTrips;
    }
  | {
      readonly kind: 'failed';
      readonly driver: ReportDriver;
      readonly reason: FailureReason;
      /** Message of a backend, in its own language. */
      readonly detail?: string | undefined;
    };

/** Returns the trips of a day with each list replaced; a list that could not be fetched stays undefined. */
export function withLists(
  weighed: WeighedTrips,
  replace: (trips: readonly ReportedTrip[]) => readonly ReportedTrip[],
): WeighedTrips {
  const mobiles = weighed.mobiles.map((mobile) => ({
    ...mobile,
    trips: mobile.trips && replace(mobile.trips),
    before: mobile.before && replace(mobile.before),
  }));
  return { ...weighed, mobiles };
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
  readonly createdAt: Date;
  /** RFC 3339 text of the request. Without a time zone, its own offset determines the day and all times. */
  readonly date: string;
  /** Zone of the day and of all times, as named in the IANA Time Zone Database. */
  readonly timeZone?: string | undefined;
  /** Number of outcomes to follow; determines the number of cover pages. */
  readonly driverCount: number;
  readonly locale: 'en' | 'ja';
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

declare module '../observation.js' {
  interface ObservedWork {
    /** A report from its admission until drawing ends, complete or not. */
    report: Observed<undefined, DrawnPages | undefined>;
  }
}
