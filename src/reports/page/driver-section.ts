import type { DriverDay } from '../day/driver-day.js';
import type { SpeedLimit } from '../day/speed-series.js';
import { weighPerson } from '../day/weighed-person.js';
import type { DayFacts, ReportDriver, ReportOptions } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { cleanText } from '../text/clean-text.js';
import { drawDayBand } from './day-band.js';
import { cleanWords, drawDayFigures, drawDutyEnds, drawIdentity, shownDriver, subjectOf } from './driver-head.js';
import { DUTY_STRIP, NOTHING_RECORDED } from './driver-layout.js';
import { drawNotes, linesOfNotes, notesOfRules, type PageNotes, standInNote } from './driver-notes.js';
import { planDriver } from './driver-plan.js';
import { driverTables } from './driver-tables.js';
import { drawBlocks, placeBlocks } from './hand-blocks.js';
import { distanceOf, kilometers } from './number-format.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawRouteSketch } from './route-sketch.js';
import {
  continuationHead,
  continuedBelow,
  drawNotice,
  drawSectionHead,
  drawStamps,
  organisation,
} from './section-frame.js';
import { drawSpeedChart, drawTimesOverLimit } from './speed-chart.js';
import { COLOURS, CONTENT_WIDTH, PAGE } from './theme.js';

export interface DayToDraw extends DayFacts {
  readonly day: DriverDay;
}

/** Returns the speed limit by which a report reads trips. */
export function limitOf({ speedLimitKmh, overLimitMinSeconds }: ReportOptions): SpeedLimit {
  return { limitKmh: speedLimitKmh, minSeconds: overLimitMinSeconds };
}

/** Section of a driver as a report keeps it for the cover: it is little, because there may be ten thousand. */
export type DrawnSection = ReturnType<typeof drawDriverSection>['section'];

/**
 * Draws all pages of one driver: figures, chart and route on the first, trips and breaks on as many as needed. Returns
 * also the result of the driving time rules.
 */
export function drawDriverSection(report: ReportDocument, facts: DayToDraw) {
  const { labels, options } = report;
  const { day, addressesMissing = false, isShared = false } = facts;
  const driver = shownDriver(facts.driver);
  const weighed = weighPerson(options.drivingRules, facts, day, report.day, limitOf(options));
  const pageNumber = report.file.pages.count + 1;
  report.typesetter.takeStandIn();
  const page = report.newPage(report.structure?.document.child('Sect'));
  drawSectionHead(report, page, labels.title);
  const cut = [...drawIdentity(report, page, driver)];
  if (organisation(report).isCut) cut.unshift(labels.inFull(labels.organisation, cleanText(report.organisation)));
  drawDayFigures(report, page, day);
  const counted = report.countDriver(facts.driver, pageNumber);
  const isRepeated = counted?.isSame === true;
  const style = { size: 9, weight: 'bold', colour: COLOURS.red, width: CONTENT_WIDTH } as const;
  if (isRepeated) page.paragraph(labels.countedBefore(counted), PAGE.left, DUTY_STRIP, style);
  const dutyLines = isRepeated ? 1 : drawDutyEnds(report, page, day);
  const notes = { driver, cut, addressesMissing, isShared, counted, weighed };
  const firstPage =
    day.trips.length === 0
      ? drawNothingRecorded(report, page, notes)
      : drawDriverPages(report, page, { ...facts, driver }, notes, dutyLines);
  page.section?.end();
  report.bookmark(subjectOf(driver), firstPage);
  const section = {
    firstPage,
    pageNumber,
    totals: day.totals,
    addressesMissing,
    /** Page on which the vehicle counts, if this one repeats it; `isSame` if it has the same driver. */
    counted,
    rest: weighed?.figures.find(({ kind }) => kind === 'rest'),
    /** True if a figure is beyond its limit for certain. */
    isBeyondRules: weighed?.figures.some(({ mark }) => mark === '▲') ?? false,
  };
  return { section, weighed };
}

function drawNothingRecorded(report: ReportDocument, page: ReportPage, { driver, cut, weighed }: PageNotes): PdfObject {
  const { labels, blocks } = report;
  drawNotice(page, labels.noTrips, labels.noTripsDetail(report.offset), NOTHING_RECORDED.notice);
  // The person may have driven another vehicle.
  const ofRules = notesOfRules(report, weighed);
  const texts = [...cut, ...standInNote(report, [driver], 'bold')];
  const warnings = linesOfNotes(report, [report.notOver].filter(Boolean), true);
  const bottom = drawNotes(page, [...warnings, ...linesOfNotes(report, texts), ...ofRules], NOTHING_RECORDED.next);
  drawBlocks(report, page, placeBlocks(blocks, bottom), kilometers(0));
  drawStamps(report, page);
  return report.write(page);
}

/** Draws chart, route, trips, breaks and the parts to fill in by hand, from the first page on. @returns that page */
function drawDriverPages(
  report: ReportDocument,
  first: ReportPage,
  facts: DayToDraw,
  notes: PageNotes,
  dutyLines: number,
): PdfObject {
  const { driver, day } = facts;
  const tables = driverTables(report, day, notes);
  const planBelow = (top: number) => planDriver(tables.partsIn, report.blocks, top, dutyLines);
  // A head of two lines, which nearly all have.
  const usual = continuedBelow(2, report.stamps.length);
  let { layout, pages } = planBelow(usual);
  const head = pages.length > 1 ? headOf(report, driver) : undefined;
  if (head !== undefined && head.bottom !== usual) ({ layout, pages } = planBelow(head.bottom));
  drawDayBand(report, first, day, layout.band, notes.weighed);
  if (layout.hasChart) {
    drawSpeedChart(report, first, day, layout);
    drawRouteSketch(report, first, day, layout);
  } else drawTimesOverLimit(report, first, day, PAGE.left + 60, layout.tripsTop - 6);
  const written = pages.map((planned, index) => {
    const page = index === 0 ? first : report.newPage(first.section);
    if (index > 0) head?.draw(page, report.labels.pageOfDriver(index + 1, pages.length));
    for (const placed of planned.parts) placed.part.draw(page, placed);
    drawBlocks(report, page, planned.blocks, distanceOf(day.totals));
    // The form and its signatures are on one sheet.
    if (index === pages.length - 1) drawStamps(report, page);
    return report.write(page);
  });
  tables.end();
  const [firstPage] = written;
  if (firstPage === undefined) throw new Error('The plan of a driver has no page.');
  return firstPage;
}

function headOf(report: ReportDocument, driver: ReportDriver) {
  const { labels, day } = report;
  const { vehicle, mobileId } = driver;
  const vehicleName = cleanWords(vehicle?.num ?? '', vehicle?.name ?? '');
  const mobile = `${labels.mobile} ${cleanText(mobileId)}`;
  const details = [
    vehicleName === '' ? mobile : `${labels.vehicle} ${vehicleName}`,
    ...[cleanText(report.organisation)].filter(Boolean),
    report.dateOf(day.day),
  ];
  return continuationHead(report, labels.title, [subjectOf(driver), details.join(' · ')], report.stamps.length);
}
