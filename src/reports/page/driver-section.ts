import { isCounted } from '../day/day-trip.js';
import { MINUTES_OF_DAY, type DayTotals } from '../day/day-totals.js';
import { readDriverDay, type DriverDay } from '../day/driver-day.js';
import type { ReportDriver, ReportTrip } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import {
  IDENTITY,
  DUTY_STRIP,
  NOTHING_RECORDED,
  TILES_TOP,
  TRIP_TABLE_TOP,
  tripColumns,
  tripsOnPages,
} from './driver-layout.js';
import { average, hoursAndMinutes, kilometers, speed } from './number-format.js';
import { drawNotice, drawRemarks } from './notice-and-remarks.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawRouteSketch } from './route-sketch.js';
import { drawContinuationHead, drawSectionHead, drawTiles, paragraph, type Tile } from './section-frame.js';
import { drawSpeedChart } from './speed-chart.js';
import { drawRows, drawTableHead, rowHeight, TABLE, tableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { totalsRow, tripRows } from './trip-table.js';

const NOTE_HEIGHT = 12;
const REMARKS_GAP = 16;

/** The figures of a driver on the cover. */
export interface SectionTotals extends DayTotals {
  /** The page that counts for the driver, where this one repeats it. */
  readonly countedOnPage: number | undefined;
}

/** A driver's section as the cover refers to it. */
export interface DrawnSection {
  readonly totals: SectionTotals;
  readonly firstPage: PdfObject;
}

/** Draws all pages of one driver: figures, chart and route on the first, the trips on as many as they need. */
export function drawDriverSection(
  report: ReportDocument,
  driver: ReportDriver,
  trips: readonly ReportTrip[],
  firstPageNumber: number,
): DrawnSection {
  const day = readDriverDay(trips, report.day, report.options.speedLimitKmh);
  const section = report.structure?.document.child('Sect');
  const page = report.newPage();
  drawSectionHead(report, page, section, report.labels.title);
  drawIdentity(report, page, section, driver);
  drawTiles(page, section, tilesOf(report, day.totals), TILES_TOP);
  const countedOnPage = report.countDriver(driver, firstPageNumber);
  if (countedOnPage !== undefined) {
    const warning = { size: 9, weight: 'bold', colour: COLOURS.red, width: CONTENT_WIDTH } as const;
    paragraph(page, section, 'P', report.labels.listedTwice(countedOnPage), PAGE.margin, DUTY_STRIP, warning);
  } else {
    drawDutyEnds(report, page, section, day);
  }
  const firstPage =
    day.trips.length === 0
      ? drawNothingRecorded(report, page, section, firstPageNumber)
      : drawTrips(report, page, section, driver, day, firstPageNumber);
  section?.end();
  report.bookmark(subjectOf(driver), firstPage);
  return { firstPage, totals: { ...day.totals, countedOnPage } };
}

/** How a driver is named in bookmarks and on continuation pages. */
function subjectOf(driver: ReportDriver): string {
  return [driver.employeeCode, driver.employeeName].map(cleanText).filter(Boolean).join(' ') || NO_VALUE;
}

function drawIdentity(
  { labels }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  driver: ReportDriver,
): void {
  page.artwork('identity strip', (canvas) =>
    canvas.line([PAGE.margin, IDENTITY.rule], [RIGHT_EDGE, IDENTITY.rule], { width: 0.4, colour: COLOURS.hairline }),
  );
  const entries = [
    { label: labels.driver, value: driver.employeeName, x: 0, width: 250, style: { size: 12.5, weight: 'bold' } },
    { label: labels.employeeCode, value: driver.employeeCode, x: 266, width: 120, style: { size: 11 } },
    { label: labels.mobile, value: driver.mobileId, x: 402, width: CONTENT_WIDTH - 402, style: { size: 11 } },
  ] as const;
  for (const { label, value, x, width, style } of entries) {
    const left = PAGE.margin + x;
    page.fixture(`identity ${label}`, section, (fixed) =>
      paragraph(fixed, section, 'P', label, left, IDENTITY.label, { size: 6.5, colour: COLOURS.muted, width }),
    );
    paragraph(page, section, 'P', cleanText(value) === '' ? NO_VALUE : value, left, IDENTITY.value, {
      ...style,
      width,
    });
  }
}

/** Where and when the day's first trip departed and its last one returned. */
function drawDutyEnds(
  { labels, clock }: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  day: DriverDay,
): void {
  const counted = day.trips.filter(isCounted);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return;
  const width = CONTENT_WIDTH / 2 - 8;
  const end = (label: string, minute: number | null, address: string | null, left: number): void => {
    if (minute === null) return;
    const epoch = minute * 60_000;
    const date = clock.dayOffset(epoch) === 0 ? [] : [labels.shortDate(clock.date(epoch))];
    const text = [label, ...date, clock.timeOfMinute(minute), address ?? NO_VALUE].join('  ');
    paragraph(page, section, 'P', text, left, DUTY_STRIP, { size: 8, width });
  };
  end(labels.departure, first.start, first.startAddress, PAGE.margin);
  end(labels.return, last.end, last.endAddress, PAGE.margin + CONTENT_WIDTH / 2 + 8);
}

function tilesOf({ labels }: ReportDocument, totals: DayTotals): readonly Tile[] {
  const unit = labels.hoursAndMinutes;
  const lasting = (label: string, minutes: number): Tile => ({
    label,
    value: hoursAndMinutes(minutes),
    unit,
    isWarning: minutes > MINUTES_OF_DAY,
  });
  return [
    { label: labels.distance, value: kilometers(totals.hectometers), unit: 'km' },
    lasting(labels.dutySpan, totals.dutyMinutes),
    lasting(labels.driving, totals.drivingMinutes),
    lasting(labels.idling, totals.idleMinutes),
    lasting(labels.breaks, totals.breakMinutes),
    { label: labels.average, value: average(totals.average), unit: 'km/h' },
    { label: labels.top, value: speed(totals.top?.kmh ?? null), unit: 'km/h', isWarning: totals.tripsOverLimit > 0 },
  ];
}

function drawNothingRecorded(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  pageNumber: number,
): PdfObject {
  const { labels } = report;
  drawNotice(page, section, labels.noTrips, labels.noTripsDetail(report.offset), NOTHING_RECORDED.notice);
  drawRemarks(report, page, section, NOTHING_RECORDED.remarks);
  return report.append(page, pageNumber);
}

/** Draws chart, route and trips from the first page on; @returns the first page */
function drawTrips(
  report: ReportDocument,
  firstPage: ReportPage,
  section: StructureElement | undefined,
  driver: ReportDriver,
  day: DriverDay,
  firstPageNumber: number,
): PdfObject {
  drawSpeedChart(report, firstPage, section, day);
  drawRouteSketch(report, firstPage, section, day);
  const heading = { size: 10, weight: 'bold', colour: COLOURS.navy, width: CONTENT_WIDTH } as const;
  firstPage.fixture('trips heading', section, (fixed) =>
    paragraph(fixed, section, 'H2', report.labels.trips, PAGE.margin, TRIP_TABLE_TOP.first - 6, heading),
  );
  if (day.trips.some(({ isOverLimit }) => isOverLimit)) {
    const note = { size: 7, colour: COLOURS.muted, width: 310 } as const;
    const text = report.labels.overLimitNote(report.options.speedLimitKmh);
    paragraph(firstPage, section, 'P', text, PAGE.margin + 64, TRIP_TABLE_TOP.first - 6, note);
  }
  if (day.totals.impossible > 0) {
    const warning = { size: 8, weight: 'bold', colour: COLOURS.red, align: 'right', width: 140 } as const;
    const text = report.labels.tripsExcluded(day.totals.impossible);
    paragraph(firstPage, section, 'P', text, RIGHT_EDGE - 140, TRIP_TABLE_TOP.first - 6, warning);
  }
  const columns = tripColumns(report.labels);
  const table = section?.child('Table');
  const notes = notesOf(report, day);
  const rows = day.trips.map((trip, index) => tripRows(report, trip, index, columns));
  const totals = totalsRow(report, day.totals);
  const pages = tripsOnPages(rows, rowHeight(totals) + 2 + notes.length * NOTE_HEIGHT);
  let first: PdfObject | undefined;
  let page = firstPage;
  let y = 0;
  for (const [index, rowsOfPage] of pages.entries()) {
    if (index > 0) {
      const written = report.append(page, firstPageNumber + index - 1);
      first ??= written;
      page = report.newPage();
      drawContinuationHead(report, page, report.labels.title, subjectOf(driver));
    }
    const top = index === 0 ? TRIP_TABLE_TOP.first : TRIP_TABLE_TOP.continued;
    drawTableHead(page, table, columns, top, index > 0);
    y = drawRows(page, table, columns, rowsOfPage, top + TABLE.headHeight);
  }
  page.decoration(() => {
    page.canvas.line([PAGE.margin, y], [RIGHT_EDGE, y], { width: 0.8, colour: COLOURS.navy });
    const bottom = y + rowHeight(totals) + 1;
    page.canvas.line([PAGE.margin, bottom], [RIGHT_EDGE, bottom], { width: 0.4, colour: COLOURS.hairline });
  });
  y = drawRows(page, table, columns, [tableRow(totals)], y + 0.5) + 0.5;
  table?.end();
  for (const note of notes) {
    const style = { size: 7, colour: COLOURS.muted, width: CONTENT_WIDTH };
    paragraph(page, section, 'P', note, PAGE.margin, y + 10, style);
    y += NOTE_HEIGHT;
  }
  drawRemarks(report, page, section, y + REMARKS_GAP);
  const last = report.append(page, firstPageNumber + pages.length - 1);
  return first ?? last;
}

/** What the marks on the page mean, as far as it has them, and what was left out of it. */
function notesOf({ labels }: ReportDocument, { trips, totals, leftOut }: DriverDay): readonly string[] {
  const notes: string[] = [];
  if (trips.some(({ top }) => top?.source === 'reported')) notes.push(labels.topReported);
  if (trips.some(({ top }) => top?.source === 'track')) notes.push(labels.topOfTrack);
  if (totals.dutyMinutes > MINUTES_OF_DAY) notes.push(labels.beyondDay);
  if (leftOut.total > 0) notes.push(labels.leftOut(leftOut));
  return notes;
}
