import { readDriverDay, type DayTotals, type DriverDay } from '../day/driver-day.js';
import type { ReportDriver, ReportTrip } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText, NO_VALUE } from '../text/clean-text.js';
import { IDENTITY, NOTHING_RECORDED, TILES_TOP, TRIP_TABLE_TOP, tripColumns, tripsOnPages } from './driver-layout.js';
import { average, count, duration, kilometers, speed } from './number-format.js';
import { drawNotice, drawRemarks } from './notice-and-remarks.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawRouteSketch } from './route-sketch.js';
import { drawContinuationHead, drawSectionHead, drawTiles, paragraph, type Tile } from './section-frame.js';
import { drawSpeedChart } from './speed-chart.js';
import { drawRows, drawTableHead, TABLE, tableRow } from './table.js';
import { COLOURS, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { totalsRow, tripRow } from './trip-table.js';

const NOTE_HEIGHT = 12;
const REMARKS_GAP = 16;

/** A driver's section as the cover refers to it. */
export interface DrawnSection {
  readonly totals: DayTotals;
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
  const firstPage =
    day.trips.length === 0
      ? drawNothingRecorded(report, page, section, firstPageNumber)
      : drawTrips(report, page, section, driver, day, firstPageNumber);
  section?.end();
  report.bookmark(subjectOf(driver), firstPage);
  return { firstPage, totals: day.totals };
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

function tilesOf({ labels }: ReportDocument, totals: DayTotals): readonly Tile[] {
  return [
    { label: labels.distance, value: kilometers(totals.meters), unit: 'km' },
    { label: labels.drivingTime, value: duration(totals.seconds), unit: labels.hoursAndMinutes },
    { label: labels.stops, value: count(totals.stops) },
    { label: labels.topSpeed, value: speed(totals.topKmh), unit: 'km/h', isWarning: totals.tripsOverLimit > 0 },
    { label: labels.averageSpeed, value: average(totals.averageKmh), unit: 'km/h' },
    { label: labels.idleTime, value: duration(totals.idleSeconds), unit: labels.hoursAndMinutes },
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
  const columns = tripColumns(report.labels);
  const table = section?.child('Table');
  const note = day.leftOut.total === 0 ? '' : report.labels.leftOut(day.leftOut);
  const rows = day.trips.map((trip, index) => tripRow(report, trip, index));
  const pages = tripsOnPages(rows, TABLE.row + 2 + (note === '' ? 0 : NOTE_HEIGHT));
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
    const bottom = y + TABLE.row + 1;
    page.canvas.line([PAGE.margin, bottom], [RIGHT_EDGE, bottom], { width: 0.4, colour: COLOURS.hairline });
  });
  y = drawRows(page, table, columns, [tableRow(totalsRow(report, day.totals))], y + 0.5) + 0.5;
  table?.end();
  if (note !== '') {
    const style = { size: 7, colour: COLOURS.muted, width: CONTENT_WIDTH };
    paragraph(page, section, 'P', note, PAGE.margin, y + 10, style);
    y += NOTE_HEIGHT;
  }
  drawRemarks(report, page, section, y + REMARKS_GAP);
  const last = report.append(page, firstPageNumber + pages.length - 1);
  return first ?? last;
}
