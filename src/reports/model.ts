import type { DrivingRules } from './day/driving-rules.js';
import type { ReportForm } from './form/report-form.js';

/** A position with its RFC 3339 time; degrees, WGS 84. May come from a broken receiver: nothing is trusted. */
export interface Fix {
  readonly time: string;
  readonly lat: number;
  readonly lng: number;
}

/** A position on a trip with the speed measured there, in km/h. */
export interface TrackPoint extends Fix {
  readonly speedKmh: number;
}

/** One trip of a driving day. Addresses are null when geo-api knows none. */
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

/** The vehicle a mobile is in, as its operator calls it. */
export interface ReportVehicle {
  readonly num: string;
  readonly name: string;
}

/** Who drove, with the field names of the driving report request (specification, heading Resources). */
export interface ReportDriver {
  readonly mobileId: string;
  readonly employeeCode: string;
  readonly employeeName: string;
  /** Absent where it could not be had: the page is made without it. */
  readonly vehicle?: ReportVehicle | undefined;
}

/** Why there is no page for a driver. */
export type FailureReason =
  'not found' | 'forbidden' | 'bad id' | 'refused' | 'unavailable' | 'internal error' | 'out of time' | 'cancelled';

/** What became of one driver: a day to print, or the reason why it could not be had. */
export type DriverOutcome =
  | { readonly kind: 'day'; readonly driver: ReportDriver; readonly trips: readonly ReportTrip[] }
  | {
      readonly kind: 'failed';
      readonly driver: ReportDriver;
      readonly reason: FailureReason;
      /** What a backend said about it, in its own language. */
      readonly detail?: string | undefined;
    };

/** Everything about a report that is known before its first driver. */
export interface ReportOptions {
  readonly jobId: string;
  readonly org: string | undefined;
  readonly createdAt: Date;
  /** The request's own RFC 3339 text: the day is its calendar day, and times are shown, in its own offset. */
  readonly date: string;
  /** How many outcomes will follow; the cover pages are counted from it. */
  readonly driverCount: number;
  readonly locale: 'en' | 'ja';
  readonly speedLimitKmh: number;
  /** Shorter times over the limit are not counted as stretches. */
  readonly overLimitMinSeconds: number;
  /** Rules about the time at the wheel that days are held against. */
  readonly drivingRules: DrivingRules;
  /** What stands there for the hand; as the language has it when absent. */
  readonly form?: ReportForm | undefined;
}
