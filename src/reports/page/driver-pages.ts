import type { DriverDay } from '../day/driver-day.js';
import type { ReportDriver } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText } from '../text/clean-text.js';
import { subjectOf } from './driver-identity.js';
import { DriverTables, type PageNotes } from './driver-tables.js';
import { drawBlocks } from './hand-blocks.js';
import { kilometers } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawRouteSketch } from './route-sketch.js';
import { continuationHead, continuedBelow, drawContinuationHead, type ContinuationHead } from './section-frame.js';
import { drawSpeedChart } from './speed-chart.js';

/** Top of continuation pages below a head of two lines, which nearly all have. */
const CONTINUED_TOP = continuedBelow(2);

/** Day with trips, and the facts about its pages. */
export interface DriverPages extends PageNotes {
  readonly driver: ReportDriver;
  readonly day: DriverDay;
  readonly firstPageNumber: number;
}

/** Draws chart, route, trips, breaks and the parts to fill in by hand, from the first page on. @returns that page */
export function drawDriverPages(
  report: ReportDocument,
  firstPage: ReportPage,
  section: StructureElement | undefined,
  { driver, day, addressesMissing, cut, firstPageNumber }: DriverPages,
): PdfObject {
  const tables = new DriverTables(report, section, day, { cut, addressesMissing });
  let plan = tables.plan(CONTINUED_TOP);
  const head = plan.pages.length > 1 ? headOf(report, driver) : undefined;
  if (head !== undefined && head.bottom !== CONTINUED_TOP) plan = tables.plan(head.bottom);
  drawSpeedChart(report, firstPage, section, day, plan.layout.plot);
  drawRouteSketch(report, firstPage, section, day, plan.layout.route);
  let first: PdfObject | undefined;
  for (const [index, planned] of plan.pages.entries()) {
    const page = index === 0 ? firstPage : report.newPage();
    if (index > 0 && head !== undefined) {
      drawContinuationHead(report, page, head, report.labels.pageOfDriver(index + 1, plan.pages.length));
    }
    if (planned.trips !== undefined) tables.drawTrips(page, planned.trips, plan.layout.tripPadding);
    if (planned.breaks !== undefined) tables.drawBreaks(page, planned.breaks, plan.layout.breakPadding);
    if (planned.below !== undefined) tables.drawBelow(page, planned.below);
    drawBlocks(report, page, section, planned.blocks, kilometers(day.totals.hectometers));
    const written = report.append(page, firstPageNumber + index);
    first ??= written;
  }
  tables.end();
  if (first === undefined) throw new Error('The plan of a driver has no page.');
  return first;
}

/** Returns the head with driver, vehicle, organisation and day. */
function headOf(report: ReportDocument, driver: ReportDriver): ContinuationHead {
  const { labels, options, day } = report;
  const { vehicle, mobileId } = driver;
  const vehicleName = [vehicle?.num ?? '', vehicle?.name ?? ''].map(cleanText).filter(Boolean).join(' ');
  const mobile = `${labels.mobile} ${cleanText(mobileId)}`;
  const details = [
    vehicleName === '' ? mobile : `${labels.vehicle} ${vehicleName}`,
    ...(options.org === undefined ? [] : [cleanText(options.org)]),
    report.dateOf(day.day),
  ];
  return continuationHead(report, labels.title, [subjectOf(driver), details.join(' · ')]);
}
