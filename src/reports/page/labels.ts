import type { DayTotals } from '../day/day-totals.js';
import type { Fault, RecordGap } from '../day/day-trip.js';
import type { RuledDay, RuledFigure } from '../day/driving-rules.js';
import type { FormLabel } from '../form/report-form.js';
import type { FailureReason } from '../model.js';
import type { LeftOut } from '../day/plausible.js';
import type { OverLimit } from '../day/speed-series.js';

/** All words of a report. Only words and the order of dates differ by language; figures do not. */
export interface Labels {
  readonly title: string;
  readonly coverTitle: string;
  readonly continued: string;
  /** Position of a page among the pages of its driver. */
  readonly pageOfDriver: (page: number, pages: number) => string;
  readonly pageOfCover: (page: number, pages: number) => string;
  /** Sums of the pages before. */
  readonly carriedForward: string;
  /** Names of the stamp boxes. */
  readonly stamps: readonly string[];
  /** Labels of the spaces filled in by hand. */
  readonly form: Readonly<Record<FormLabel, string>>;
  readonly driver: string;
  readonly employeeCode: string;
  readonly mobile: string;
  readonly vehicle: string;
  readonly organisation: string;
  readonly hoursAndMinutes: string;
  readonly distance: string;
  /** Time from first departure to last arrival: driving, idling and breaks. */
  readonly dutySpan: string;
  /** Driving without idling. */
  readonly driving: string;
  readonly idling: string;
  /** Breaks between trips. */
  readonly breaks: string;
  /** Time from start to end of a trip: driving and idling. */
  readonly tripTime: string;
  readonly stops: string;
  readonly overLimit: string;
  readonly excluded: string;
  /** Ends of the duty span. */
  readonly departure: string;
  readonly return: string;
  readonly chart: string;
  readonly route: string;
  readonly trips: string;
  readonly number: string;
  readonly start: string;
  readonly end: string;
  readonly total: string;
  readonly top: string;
  readonly average: string;
  readonly tripCount: string;
  readonly limit: (kmh: number) => string;
  readonly startMark: string;
  readonly endMark: string;
  /** Heading of the individual breaks of the day. */
  readonly breaksHeading: string;
  readonly place: string;
  readonly breakFrom: string;
  readonly breakTo: string;
  readonly breakKind: string;
  /** Mark of a pause that is long enough to be a break. */
  readonly breakCandidate: string;
  readonly breakNote: (minutes: number) => string;
  /** Number of breaks that are not printed individually. */
  readonly shorterBreaks: (count: number) => string;
  /** Reason why time between two trips is no break, and number of such gaps. */
  readonly gap: (gap: RecordGap) => string;
  readonly gaps: (count: number) => string;
  /** Part of the duty span that is neither driving, idling nor break. */
  readonly unrecorded: (minutes: number) => string;
  readonly addressesMissing: string;
  readonly driversWithoutAddresses: (count: number) => string;
  readonly noTrips: string;
  readonly noTripsDetail: (offset: string) => string;
  readonly noSpeeds: string;
  readonly noPositions: string;
  readonly straightLine: string;
  /** Number of times. */
  readonly times: (count: number) => string;
  /** Duration to the second. */
  readonly lasting: (seconds: number) => string;
  readonly tripsOverLimit: (totals: Pick<DayTotals, 'tripsOverLimit' | 'overLimit'>) => string;
  /** Readings of unknown duration. */
  readonly readings: (count: number) => string;
  readonly tripsExcluded: (count: number) => string;
  /** Reason why a trip is not counted; `other` is the number of the conflicting trip. */
  readonly fault: (fault: Fault, other: number | undefined) => string;
  readonly carriedOver: (day: string) => string;
  readonly driversListedTwice: (count: number) => string;
  readonly listedTwice: (page: number) => string;
  /** Meaning of a mark behind a top speed. */
  readonly topReported: string;
  readonly topOfTrack: string;
  readonly shortDistance: string;
  /** @param minSeconds minimum time that counts as a stretch */
  readonly overLimitNote: (limitKmh: number, minSeconds: number, overLimit: OverLimit) => string;
  readonly beyondDay: string;
  /** Day without its year, from `yyyy-mm-dd`. */
  readonly shortDate: (day: string) => string;
  /** Day without its year for a narrow column. */
  readonly tinyDate: (day: string) => string;
  readonly leftOut: (leftOut: LeftOut) => string;
  readonly created: string;
  readonly timesIn: (offset: string) => string;
  /** Offsets before and after a change of the clocks, and the time that they reach before it. */
  readonly offsetUntil: (before: string, time: string, after: string) => string;
  /** Words before the total number of pages. */
  readonly pageNumber: (page: number) => readonly string[];
  readonly pageTotal: (total: number) => string;
  /** @param isInEra prints the year of the Japanese era */
  readonly date: (day: string, isInEra: boolean) => string;
  /** Full text of one cut above. */
  readonly inFullHeading: string;
  readonly inFull: (label: string, text: string) => string;
  /** Explanation of the stand-in for a letter that no font has. */
  readonly standIn: string;
  /** Driving time rules, the comparison of a day with them, and the limits of its figures. */
  readonly rules: Readonly<Record<RuledDay['rules'], string>>;
  readonly ruled: (figure: RuledFigure, span: string) => string;
  readonly lowerBounds: string;
  readonly driversBeyondRules: (count: number, rules: RuledDay['rules']) => string;
  readonly drivers: string;
  readonly reports: string;
  readonly notAvailable: string;
  readonly driversOverLimit: string;
  readonly failure: (reason: FailureReason, detail: string | undefined) => string;
  readonly failedHeading: (count: number) => string;
  readonly driversHeading: string;
  readonly noDrivers: string;
  readonly noDriversDetail: string;
  readonly page: string;
  readonly chartAlternative: (totals: DayTotals, limitKmh: number) => string;
  readonly routeAlternative: (totals: DayTotals) => string;
}
