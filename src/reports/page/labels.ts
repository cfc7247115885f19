import type { DayTotals } from '../day/day-totals.js';
import type { Fault, RecordGap } from '../day/day-trip.js';
import type { RuledDay, RuledFigure } from '../day/driving-rules.js';
import type { FormLabel } from '../form/report-form.js';
import type { FailureReason } from '../model.js';
import type { LeftOut } from '../day/plausible.js';
import type { OverLimit } from '../day/speed-series.js';

/** Every word a report prints. Figures stay figures: only words and the order of dates differ by language. */
export interface Labels {
  readonly title: string;
  readonly coverTitle: string;
  readonly continued: string;
  /** Which of the pages of a driver it is. */
  readonly pageOfDriver: (page: number, pages: number) => string;
  readonly pageOfCover: (page: number, pages: number) => string;
  /** The sums of the pages before. */
  readonly carriedForward: string;
  /** Boxes for stamps. */
  readonly stamps: readonly string[];
  /** Beside spaces for the hand. */
  readonly form: Readonly<Record<FormLabel, string>>;
  readonly driver: string;
  readonly employeeCode: string;
  readonly mobile: string;
  readonly vehicle: string;
  readonly organisation: string;
  readonly hoursAndMinutes: string;
  readonly distance: string;
  /** First departure to last arrival: driving, idling and breaks. */
  readonly dutySpan: string;
  /** Without idling. */
  readonly driving: string;
  readonly idling: string;
  /** Between trips. */
  readonly breaks: string;
  /** From the start of a trip to its end: driving and idling. */
  readonly tripTime: string;
  readonly stops: string;
  readonly overLimit: string;
  readonly excluded: string;
  /** The ends of the duty span. */
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
  /** The breaks of the day, one by one. */
  readonly breaksHeading: string;
  readonly place: string;
  readonly breakFrom: string;
  readonly breakTo: string;
  readonly breakKind: string;
  /** Beside a pause that is long enough to be a break. */
  readonly breakCandidate: string;
  readonly breakNote: (minutes: number) => string;
  /** So many breaks that are not printed one by one. */
  readonly shorterBreaks: (count: number) => string;
  /** Why time between two trips is no break, and how often that is so. */
  readonly gap: (gap: RecordGap) => string;
  readonly gaps: (count: number) => string;
  /** How much of the duty span is neither driving, idling nor break. */
  readonly unrecorded: (minutes: number) => string;
  readonly noTrips: string;
  readonly noTripsDetail: (offset: string) => string;
  readonly noSpeeds: string;
  readonly noPositions: string;
  readonly straightLine: string;
  /** How long something lasted, to the second. */
  readonly lasting: (seconds: number) => string;
  readonly tripsOverLimit: (totals: Pick<DayTotals, 'tripsOverLimit' | 'overLimit'>) => string;
  /** Readings of which it is not known for how long they were true. */
  readonly readings: (count: number) => string;
  readonly tripsExcluded: (count: number) => string;
  /** Why a trip is not counted; `other` is the number of the trip it gets into conflict with. */
  readonly fault: (fault: Fault, other: number | undefined) => string;
  readonly carriedOver: (day: string) => string;
  readonly driversListedTwice: (count: number) => string;
  readonly listedTwice: (page: number) => string;
  /** What a mark behind a top speed means. */
  readonly topReported: string;
  readonly topOfTrack: string;
  readonly shortDistance: string;
  /** @param minSeconds shorter times are not counted as stretches */
  readonly overLimitNote: (limitKmh: number, minSeconds: number, overLimit: OverLimit) => string;
  readonly beyondDay: string;
  /** A day without its year, from `yyyy-mm-dd`. */
  readonly shortDate: (day: string) => string;
  /** The same in a narrow column. */
  readonly tinyDate: (day: string) => string;
  readonly leftOut: (leftOut: LeftOut) => string;
  readonly created: string;
  readonly timesIn: (offset: string) => string;
  /** What stands before the number of all pages, in words. */
  readonly pageNumber: (page: number) => readonly string[];
  readonly pageTotal: (total: number) => string;
  /** @param isInEra whether the year is that of the Japanese era */
  readonly date: (day: string, isInEra: boolean) => string;
  /** A text that was cut above, as a whole. */
  readonly inFullHeading: string;
  readonly inFull: (label: string, text: string) => string;
  /** What stands in place of a letter that no font has. */
  readonly standIn: string;
  /** Rules about the time at the wheel, how a day compares with them, and what its figures leave open. */
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
