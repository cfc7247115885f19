import { type DayTotals, dutyEnds, isDoubted, isDrivingDoubted, MINUTES_OF_DAY } from '../day/day-totals.js';
import { type DayTrip, DOUBTS, isCounted } from '../day/day-trip.js';
import type { Limit } from '../day/driving-rules.js';
import { timestamp } from '../day/report-date.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import type { FailedDay, ReportDriver } from '../model.js';
import { numbersOf, ruledText } from '../page/driver-notes.js';
import type { DayToDraw, DrawnSection } from '../page/driver-section.js';
import type { ReportDocument } from '../page/report-document.js';
import { SOURCE_MARKS } from '../page/trip-table.js';

/*
 * The figures of a report as CSV (RFC 4180), a row for each driver and below it one for each trip, from the values that
 * the pages print: times as ISO 8601, durations in minutes.
 */

/** Columns of texts and times. */
const TEXTS = [
  ...['row', 'date', 'number', 'page', 'employee_code', 'employee_name', 'mobile_id', 'vehicle_number', 'vehicle_name'],
  ...['trip', 'state', 'state_reason', 'start', 'start_address', 'end', 'end_address'],
] as const;

/** Figures with a unit in their names. Each has four columns. */
const FIGURES = [
  ...['distance_km', 'trip_minutes', 'driving_minutes', 'idling_minutes', 'break_minutes', 'duty_minutes'],
  ...['unrecorded_minutes', 'trips', 'excluded_trips', 'gaps', 'stops', 'average_kmh', 'top_kmh'],
  ...['over_limit_times', 'over_limit_seconds', 'over_limit_readings'],
  ...['continuous_rule_minutes', 'duty_rule_minutes', 'daily_rule_minutes', 'rest_rule_minutes'],
] as const;

type Text = (typeof TEXTS)[number];
type FigureName = (typeof FIGURES)[number];
type Value = string | number | null | undefined;

/** Least and greatest value, which are empty if they are not known, and the marks with their reasons. */
type Figure = readonly [least: Value, most: Value, mark: string, reason: string];

type Texts = Partial<Readonly<Record<Text, Value>>>;
type Figures = Partial<Readonly<Record<FigureName, Figure>>>;

const UTF_8_MARK = '\ufeff';

/** Returns the beginning of the file: the byte-order mark of UTF-8 and the headings. */
export function tableHead(): string {
  const figures = FIGURES.flatMap((name) => ['least', 'most', 'mark', 'reason'].map((part) => `${name}_${part}`));
  return `${UTF_8_MARK}${lineOf([...TEXTS, ...figures])}`;
}

const NO_FIGURE: Figure = ['', '', '', ''];

function rowOf(texts: Texts, figures: Figures = {}): string {
  return lineOf([...TEXTS.map((name) => texts[name]), ...FIGURES.flatMap((name) => figures[name] ?? NO_FIGURE)]);
}

/** Texts that a spreadsheet would take for formulas. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

function lineOf(values: readonly Value[]): string {
  const cells = values.map((value) => {
    if (typeof value !== 'string') return value ?? '';
    const text = FORMULA.test(value) ? `'${value}` : value;
    return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}

type Mark = readonly [mark: string, reason: string];

/** Makes a figure of its value and the marks that apply to it; with ≥ its greatest value is not known. */
function figure(value: number | null, ...marks: readonly (Mark | false)[]): Figure {
  const found = marks.filter((each) => each !== false);
  const has = (bound: string): boolean => found.some(([mark]) => mark === bound);
  const reasons = new Set(found.map(([, reason]) => reason));
  return [
    has('≤') ? null : value,
    has('≥') ? null : value,
    found.map(([mark]) => mark).join(''),
    [...reasons].filter(Boolean).join(' '),
  ];
}

function driverTexts({ day }: ReportDocument, number: number, driver: ReportDriver): Texts {
  const { employeeCode, employeeName, mobileId, vehicle } = driver;
  return {
    ...{ date: day.day, number, employee_code: employeeCode, employee_name: employeeName, mobile_id: mobileId },
    ...{ vehicle_number: vehicle?.num, vehicle_name: vehicle?.name },
  };
}

/** Returns the row of a driver without a page. @param number of the driver, from 1 */
export function failedRow(report: ReportDocument, number: number, { driver, reason, detail }: FailedDay): string {
  const state = { row: 'driver', state: 'failed', state_reason: report.labels.failure(reason, detail) };
  return rowOf({ ...driverTexts(report, number, driver), ...state });
}

const RULE_COLUMNS: Readonly<Record<Limit['kind'], FigureName>> = {
  continuous: 'continuous_rule_minutes',
  duty: 'duty_rule_minutes',
  daily: 'daily_rule_minutes',
  rest: 'rest_rule_minutes',
};

/** Returns the row of a driver and those of the trips. @param number of the driver, from 1 */
export function dayRows(
  report: ReportDocument,
  number: number,
  { driver, day }: DayToDraw,
  { pageNumber, counted }: DrawnSection,
  weighed: WeighedPerson | undefined,
): string {
  const { labels } = report;
  const { trips, totals } = day;
  const marks = marksIn(report, trips);
  const person = { ...driverTexts(report, number, driver), page: pageNumber };
  const state = counted
    ? { state: 'counted elsewhere', state_reason: labels.countedBefore(counted) }
    : { state: 'counted' };
  const [first, last] = dutyEnds(trips);
  const ends = { ...endOf(report, 'start', first), ...endOf(report, 'end', last) };
  const rules = weighed?.figures.map((each): [FigureName, Figure] => {
    const most = each.most === Infinity ? null : each.most;
    return [RULE_COLUMNS[each.kind], [each.least, most, each.mark, ruledText(report, each, weighed)]];
  });
  const whole = rowOf(
    { row: 'driver', ...person, ...state, ...ends },
    { ...figuresOfDay(report, totals, marks), ...Object.fromEntries(rules ?? []) },
  );
  const rows = trips.map((trip, index) => {
    const trace = { row: 'trip', ...person, trip: index + 1, ...verdictOf(report, trip) };
    const places = { ...endOf(report, 'start', trip), ...endOf(report, 'end', trip) };
    return rowOf({ ...trace, ...places }, figuresOfTrip(report, trip, marksIn(report, trips, index)));
  });
  return whole + rows.join('');
}

function endOf({ day: { offsetAt } }: ReportDocument, end: 'start' | 'end', trip: DayTrip | undefined): Texts {
  const minute = trip?.[end] ?? null;
  const address = trip?.[`${end}Address`];
  return { [end]: minute === null ? null : timestamp(minute * 60_000, offsetAt), [`${end}_address`]: address };
}

function verdictOf({ labels, clock }: ReportDocument, { verdict, start }: DayTrip): Texts {
  switch (verdict.kind) {
    case 'counted':
      return { state: 'counted' };
    case 'carried over':
      return { state: 'carried over', state_reason: labels.carriedOver(clock.date((start ?? 0) * 60_000)) };
    case 'impossible':
      return { state: 'excluded', state_reason: labels.fault(verdict.fault, verdict.other) };
  }
}

type Marks = ReturnType<typeof marksIn>;

/** Returns the marks of a trip, or of the sums of all, with the words of the page. */
function marksIn({ labels }: ReportDocument, all: readonly DayTrip[], index?: number) {
  const isMeant = (trip: DayTrip): boolean => isCounted(trip) && (index === undefined || trip === all[index]);
  const doubted = (column: keyof typeof DOUBTS): Mark | false => {
    const found = all.flatMap((trip, at) =>
      isMeant(trip) && isDoubted(trip, column)
        ? trip.unsupported
            .filter(({ figure }) => DOUBTS[column].includes(figure))
            .map((each) => labels.unsupported(at + 1, each, trip))
        : [],
    );
    return found.length > 0 && ['‡', labels.unsupportedBy([found])];
  };
  const numbers = (figure: 'hectometers' | 'idleMinutes') =>
    numbersOf(all, (trip) => isMeant(trip) && trip[figure] === null);
  const lacking = (distances: string, idlings: string): string | false =>
    distances + idlings !== '' && labels.lacking(distances, idlings);
  return {
    doubts: { distance: doubted('distance'), driving: doubted('driving'), top: doubted('top') },
    noDistance: lacking(numbers('hectometers'), ''),
    noIdling: lacking('', numbers('idleMinutes')),
    brief: numbersOf(all, (trip) => isMeant(trip) && trip.isBrief),
  };
}

const marked = (mark: string, reason: string | false): Mark | false => reason !== false && [mark, reason];

/** Makes the figures that trips and days have in common. */
function commonFigures(
  { labels, options }: ReportDocument,
  of: Pick<DayTotals, 'top' | 'average' | 'overLimit'> & {
    readonly minutes: number | null;
    readonly stops: number | null;
  },
  isOver: boolean,
  { doubts }: Marks,
): Figures {
  const { top, average, overLimit, minutes, stops } = of;
  const over = isOver && labels.overLimitNote(options.speedLimitKmh, options.overLimitMinSeconds, overLimit, 0);
  const source = top?.source === 'reported' ? labels.topReported : top?.source === 'track' && labels.topOfTrack;
  const isLong = (minutes ?? 0) > MINUTES_OF_DAY;
  return {
    trip_minutes: figure(minutes, marked('▲', isLong && labels.beyondDay), doubts.driving),
    stops: figure(stops),
    average_kmh: figure(average === null ? null : average / 10),
    top_kmh: figure(
      top?.kmh ?? null,
      marked('▲', over),
      marked(SOURCE_MARKS[top?.source ?? 'both'], source),
      doubts.top,
    ),
    over_limit_times: figure(overLimit.stretches),
    over_limit_seconds: figure(overLimit.seconds),
    over_limit_readings: figure(overLimit.readings),
  };
}

function kmOf(hectometers: number | null): number | null {
  return hectometers === null ? null : hectometers / 10;
}

function figuresOfTrip(report: ReportDocument, trip: DayTrip, marks: Marks): Figures {
  const { minutes, idleMinutes, hectometers } = trip;
  const { doubts, noDistance, noIdling } = marks;
  const isLess = isCounted(trip) && isDrivingDoubted(trip);
  return {
    ...commonFigures(report, trip, trip.isOverLimit, marks),
    distance_km: figure(kmOf(hectometers), marked('§', noDistance), doubts.distance),
    driving_minutes: figure(
      minutes === null ? null : minutes - (idleMinutes ?? 0),
      idleMinutes === null ? ['≤', noIdling || ''] : isLess && ['≤', ''],
      doubts.driving,
    ),
    idling_minutes: figure(idleMinutes, marked('§', noIdling)),
  };
}

function figuresOfDay(report: ReportDocument, totals: DayTotals, marks: Marks): Figures {
  const { labels } = report;
  const { lacking, dutyMinutes, unrecordedMinutes: unrecorded, tripMinutes: minutes, hasBriefEnd } = totals;
  const { doubts, noDistance, noIdling, brief } = marks;
  const atMost = marked('≤', hasBriefEnd && labels.brief(brief));
  const isLess = lacking.idlings + lacking.drivings > 0;
  return {
    ...commonFigures(report, { ...totals, minutes }, totals.tripsOverLimit > 0, marks),
    distance_km: figure(kmOf(totals.hectometers), marked('≥', noDistance), doubts.distance),
    driving_minutes: figure(totals.drivingMinutes, isLess && ['≤', noIdling || ''], doubts.driving),
    idling_minutes: figure(totals.idleMinutes, marked('≥', noIdling)),
    break_minutes: figure(totals.breakMinutes, atMost),
    duty_minutes: figure(dutyMinutes, marked('▲', dutyMinutes > MINUTES_OF_DAY && labels.beyondDay), atMost),
    unrecorded_minutes: figure(unrecorded, marked('×', unrecorded > 0 && labels.unrecorded(unrecorded))),
    trips: figure(totals.trips),
    excluded_trips: figure(
      totals.impossible,
      marked('×', totals.impossible > 0 && labels.tripsExcluded(totals.impossible)),
    ),
    gaps: figure(totals.gaps, marked('×', totals.gaps > 0 && labels.gaps(totals.gaps))),
  };
}
