import type { DayTotals } from '../day/day-totals.js';
import { readDriverDay } from '../day/driver-day.js';
import type { DriverOutcome } from '../model.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import { cleanText } from '../text/clean-text.js';
import { drawDayFigures, drawDutyEnds } from './driver-figures.js';
import { drawIdentity, subjectOf } from './driver-identity.js';
import { DUTY_STRIP, NOTHING_RECORDED } from './driver-layout.js';
import { drawNotes, linesOfNotes } from './driver-notes.js';
import { drawDriverPages } from './driver-pages.js';
import { drawBlocks } from './hand-blocks.js';
import { placeBlocks } from './hand-layout.js';
import { drawNotice } from './notice.js';
import { kilometers } from './number-format.js';
import { paragraph } from './paragraph.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { drawSectionHead, isOrganisationCut } from './section-frame.js';
import { COLOURS, CONTENT_BOTTOM, CONTENT_WIDTH, PAGE } from './theme.js';

/** Figures of a driver on the cover. */
export interface SectionTotals extends DayTotals {
  /** Counted page of the driver, if this one repeats it. */
  readonly countedOnPage: number | undefined;
  /** True if the day exceeds the driving time rules. */
  readonly isBeyondRules: boolean;
  /** True if the addresses could not be looked up. */
  readonly addressesMissing: boolean;
}

/** Section of a driver, as referenced by the cover. */
export interface DrawnSection {
  readonly totals: SectionTotals;
  readonly firstPage: PdfObject;
}

/** Draws all pages of one driver: figures, chart and route on the first, trips and breaks on as many as needed. */
export function drawDriverSection(
  report: ReportDocument,
  { driver, trips, addressesMissing = false }: Extract<DriverOutcome, { kind: 'day' }>,
  firstPageNumber: number,
): DrawnSection {
  const { labels, options } = report;
  const day = readDriverDay(trips, report.day, {
    limitKmh: options.speedLimitKmh,
    minSeconds: options.overLimitMinSeconds,
    rules: options.drivingRules,
  });
  report.typesetter.takeStandIn();
  const section = report.structure?.document.child('Sect');
  const page = report.newPage();
  drawSectionHead(report, page, section, labels.title);
  const cut = [...drawIdentity(report, page, section, driver)];
  if (isOrganisationCut(report)) cut.unshift(labels.inFull(labels.organisation, cleanText(options.org ?? '')));
  drawDayFigures(report, page, section, day);
  const countedOnPage = report.countedDrivers.count(driver, firstPageNumber);
  if (countedOnPage !== undefined) {
    const style = { size: 9, weight: 'bold', colour: COLOURS.red, width: CONTENT_WIDTH } as const;
    paragraph(page, section, 'P', labels.listedTwice(countedOnPage), PAGE.left, DUTY_STRIP, style);
  } else {
    drawDutyEnds(report, page, section, day);
  }
  const firstPage =
    day.trips.length === 0
      ? drawNothingRecorded(report, page, section, cut, firstPageNumber)
      : drawDriverPages(report, page, section, { driver, day, addressesMissing, cut, firstPageNumber });
  section?.end();
  report.bookmark(subjectOf(driver), firstPage);
  const isBeyondRules = day.ruled?.figures.some(({ outcome }) => outcome === 'beyond') ?? false;
  return { firstPage, totals: { ...day.totals, countedOnPage, isBeyondRules, addressesMissing } };
}

function drawNothingRecorded(
  report: ReportDocument,
  page: ReportPage,
  section: StructureElement | undefined,
  cut: readonly string[],
  pageNumber: number,
): PdfObject {
  const { labels, blocks } = report;
  drawNotice(page, section, labels.noTrips, labels.noTripsDetail(report.offset), NOTHING_RECORDED.notice);
  const notes = [...cut, ...(report.typesetter.takeStandIn() ? [labels.standIn] : [])];
  const bottom = drawNotes(page, section, linesOfNotes(report, notes), NOTHING_RECORDED.next);
  drawBlocks(report, page, section, placeBlocks(blocks, bottom, CONTENT_BOTTOM), kilometers(0));
  return report.append(page, pageNumber);
}
