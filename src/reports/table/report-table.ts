import { type DayTotals, dutyEnds, isDrivingDoubted, MINUTES_OF_DAY } from '../day/day-totals.js';
import { type DayTrip, DOUBTS, isCounted } from '../day/day-trip.js';
import { timestamp } from '../day/report-date.js';
import type { WeighedPerson } from '../day/weighed-person.js';
import type { FailedDay, ReportDriver } from '../model.js';
import { numbersOf, ruledText } from '../page/driver-notes.js';
import type { DayToDraw, DrawnSection } from '../page/driver-section.js';
import type { ReportDocument } from '../page/report-document.js';
import { SOURCE_MARKS } from '../page/day-rows.js';

/*
 * The figures of a report as CSV (RFC 4180), a row for each driver and below it one for each trip, from the values that
 * the pages print: times as ISO 8601, durations in minutes.
 */

/** Columns of texts and times: the kind of row, the person, and the subject of the row. */
const TEXTS = [
  ...['row', 'date', 'number', 'page', 'employee_code', 'employee_name', 'mobile_id', 'vehicle_number', 'vehicle_name'],
  ...['trip', 'state', 'state_reason', 'start', 'start_address', 'end', 'end_address'],
];

/** Figures with a unit in their names. Each has the columns of `PARTS`. */
const FIGURES = [
  ...['distance_km', 'trip_minutes', 'driving_minutes', 'idling_minutes', 'break_minutes', 'duty_minutes'],
  ...['unrecorded_minutes', 'trips', 'excluded_trips', 'gaps', 'stops', 'average_kmh', 'top_kmh'],
  ...['over_limit_times', 'over_limit_seconds', 'over_limit_readings'],
  ...['continuous_rule_minutes', 'duty_rule_minutes', 'daily_rule_minutes', 'rest_rule_minutes'],
] as const;
/** Least and greatest value, which are empty if they are not known, the marks, and their reasons. */
const PARTS = ['least', 'most', 'mark', 'reason'] as const;

/** Figures as cells with commas between them. */
type Figures = Partial<Record<(typeof FIGURES)[number], string>>;

const UTF_8_MARK = '\ufeff';
const NO_FIGURE = ','.repeat(PARTS.length - 1);
const NO_FIGURES = FIGURES.map(() => NO_FIGURE).join(',');

/** Returns the beginning of the file: the byte-order mark of UTF-8 and the headings. */
export function tableHead(): string {
  const figures = FIGURES.flatMap((name) => PARTS.map((part) => `${name}_${part}`));
  return `${UTF_8_MARK}${[...TEXTS, ...figures].join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula, or that needs quotes. */
const NOT_PLAIN = /^[=+\-@\t\r]|[",\r\n]/;

/** Joins cells. Numbers are never formulas. */
function cellsOf(...values: readonly (string | number | null | undefined)[]): string {
  return values
    .map((value) => (typeof value === 'string' && NOT_PLAIN.test(value) ? safeText(value) : value))
    .join(',');
}

function safeText(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Mark = readonly [mark: string, reason: string];

/** Makes a figure of its value and the marks that apply to it; with ≥ its greatest value is not known. */
function figure(value: number | null, ...marks: readonly (Mark | false)[]): string {
  let [least, most, mark, reason]: [number | null, number | null, string, string] = [value, value, '', ''];
  for (const found of marks) {
    if (found === false) continue;
    mark += found[0];
    if (found[0] === '≤') least = null;
    if (found[0] === '≥') most = null;
    if (!reason.includes(found[1])) reason += `${reason && ' '}${found[1]}`;
  }
  return mark === '' ? `${least ?? ''},${most ?? ''},,` : cellsOf(least, most, mark, reason);
}

function personOfRow({ day }: ReportDocument, number: number, page: number | undefined, driver: ReportDriver): string {
  const { employeeCode, employeeName, mobileId, vehicle } = driver;
  return cellsOf(day.day, number, page, employeeCode, employeeName, mobileId, vehicle?.num, vehicle?.name);
}

/** Returns the row of a driver without a page. @param number of the driver, from 1 */
export function failedRow(report: ReportDocument, number: number, { driver, reason, detail }: FailedDay): string {
  const state = cellsOf('', 'failed', report.labels.failure(reason, detail), '', '', '', '');
  return `driver,${personOfRow(report, number, undefined, driver)},${state},${NO_FIGURES}\r\n`;
}

/** Returns the row of a driver and those of the trips. @param number of the driver, from 1 */
export function dayRows(
  report: ReportDocument,
  number: number,
  { driver, day: { trips, totals } }: DayToDraw,
  { pageNumber, counted }: DrawnSection,
  weighed: WeighedPerson | undefined,
): string {
  const { labels } = report;
  const person = personOfRow(report, number, pageNumber, driver);
  const rowOf = (
    kind: string,
    subject: string,
    first: DayTrip | undefined,
    last: DayTrip | undefined,
    figures: Figures,
  ) => {
    const ends = `${endOf(report, 'start', first)},${endOf(report, 'end', last)}`;
    return `${kind},${person},${subject},${ends},${FIGURES.map((name) => figures[name] ?? NO_FIGURE).join(',')}\r\n`;
  };
  const figures = figuresOfDay(report, totals, marksIn(report, trips));
  weighed?.figures.forEach((each) => {
    const most = each.most === Infinity ? null : each.most;
    figures[`${each.kind}_rule_minutes`] = cellsOf(each.least, most, each.mark, ruledText(report, each, weighed));
  });
  const state = counted ? cellsOf('', 'counted elsewhere', labels.countedBefore(counted)) : ',counted,';
  return trips.reduce(
    (rows, trip, index) => {
      const subject = cellsOf(index + 1, ...verdictOf(report, trip));
      return rows + rowOf('trip', subject, trip, trip, figuresOfTrip(report, trip, marksIn(report, [trip], index)));
    },
    rowOf('driver', state, ...dutyEnds(trips), figures),
  );
}

function endOf({ day: { offsetAt } }: ReportDocument, end: 'start' | 'end', trip: DayTrip | undefined): string {
  const minute = trip?.[end] ?? null;
  return cellsOf(minute === null ? '' : timestamp(minute * 60_000, offsetAt), trip?.[`${end}Address`]);
}

function verdictOf(
  { labels, clock }: ReportDocument,
  { verdict, start }: DayTrip,
): readonly [state: string, why: string] {
  if (verdict.kind === 'counted') return ['counted', ''];
  if (verdict.kind === 'impossible') return ['excluded', labels.fault(verdict.fault, verdict.other)];
  return ['carried over', labels.carriedOver(clock.date((start ?? 0) * 60_000))];
}

type Marks = ReturnType<typeof marksIn>;

/** Returns the marks of trips, with the words of the page. @param first number of the first one, from 0 */
function marksIn({ labels }: ReportDocument, trips: readonly DayTrip[], first = 0) {
  const numbers = (has: (trip: DayTrip) => boolean): string =>
    numbersOf(trips, (trip) => isCounted(trip) && has(trip), first);
  const doubted = (column: keyof typeof DOUBTS): Mark | false => {
    const found = trips.flatMap((trip, index) =>
      trip.unsupported
        .filter(({ figure: of }) => DOUBTS[column].includes(of))
        .map((each) => labels.unsupported(first + index + 1, each, trip)),
    );
    return found.length > 0 && ['‡', labels.unsupportedBy([found])];
  };
  const [distances, idlings] = [
    numbers((trip) => trip.hectometers === null),
    numbers((trip) => trip.idleMinutes === null),
  ];
  return {
    doubts: { distance: doubted('distance'), driving: doubted('driving'), top: doubted('top') },
    noDistance: distances !== '' && labels.lacking(distances, ''),
    noIdling: idlings !== '' && labels.lacking('', idlings),
    brief: numbers(({ isBrief }) => isBrief),
  };
}

const marked = (mark: string, reason: string | false): Mark | false => reason !== false && [mark, reason];

/** Makes the figures that trips and days have in common. @param bound mark of a distance that lacks something */
function commonFigures(
  { labels, options }: ReportDocument,
  of: Pick<DayTotals, 'top' | 'average' | 'overLimit'> & Readonly<Record<'stops' | 'hectometers', number | null>>,
  minutes: number | null,
  isOver: boolean,
  bound: '§' | '≥',
  { doubts, noDistance }: Marks,
): Figures {
  const { top, average, overLimit, stops, hectometers } = of;
  const over = isOver && labels.overLimitNote(options.speedLimitKmh, options.overLimitMinSeconds, overLimit, 0);
  const source = top?.source === 'reported' ? labels.topReported : top?.source === 'track' && labels.topOfTrack;
  const isLong = (minutes ?? 0) > MINUTES_OF_DAY;
  return {
    distance_km: figure(hectometers === null ? null : hectometers / 10, marked(bound, noDistance), doubts.distance),
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

// Properties are added one by one, because each one beside a spread takes V8 a microsecond, and rows are many.

function figuresOfTrip(report: ReportDocument, trip: DayTrip, marks: Marks): Figures {
  const { minutes, idleMinutes } = trip;
  const isLess = idleMinutes === null || (isCounted(trip) && isDrivingDoubted(trip));
  const driving = minutes === null ? null : minutes - (idleMinutes ?? 0);
  const figures = commonFigures(report, trip, minutes, trip.isOverLimit, '§', marks);
  figures.driving_minutes = figure(driving, isLess && ['≤', marks.noIdling || ''], marks.doubts.driving);
  figures.idling_minutes = figure(idleMinutes, marked('§', marks.noIdling));
  return figures;
}

function figuresOfDay(report: ReportDocument, totals: DayTotals, marks: Marks): Figures {
  const { labels } = report;
  const { lacking, tripMinutes, tripsOverLimit, drivingMinutes, dutyMinutes, hasBriefEnd } = totals;
  const atMost = marked('≤', hasBriefEnd && labels.brief(marks.brief));
  const isLess = lacking.idlings + lacking.drivings > 0;
  const leftOut = (count: number, reason: (count: number) => string): string =>
    figure(count, marked('×', count > 0 && reason(count)));
  const figures = commonFigures(report, totals, tripMinutes, tripsOverLimit > 0, '≥', marks);
  figures.driving_minutes = figure(drivingMinutes, isLess && ['≤', marks.noIdling || ''], marks.doubts.driving);
  figures.idling_minutes = figure(totals.idleMinutes, marked('≥', marks.noIdling));
  figures.break_minutes = figure(totals.breakMinutes, atMost);
  figures.duty_minutes = figure(dutyMinutes, marked('▲', dutyMinutes > MINUTES_OF_DAY && labels.beyondDay), atMost);
  figures.unrecorded_minutes = leftOut(totals.unrecordedMinutes, labels.unrecorded);
  figures.trips = figure(totals.trips);
  figures.excluded_trips = leftOut(totals.impossible, labels.tripsExcluded);
  figures.gaps = leftOut(totals.gaps, labels.gaps);
  return figures;
}
