import type { StructureElement } from '../pdf/structure.js';
import { wrapText } from '../text/fit-text.js';
import { COVER, coverColumns, coverPages, coverParts, onPages } from './cover-layout.js';
import { type CoverRow, coverRow, coverSums, coverTiles, coverTotalsOf } from './cover-table.js';
import { drawTable } from './draw-table.js';
import { drawNotes, linesOfNotes, type Note, notesHeight, standInNote } from './driver-notes.js';
import { drawBlocks, placeBlocks } from './hand-blocks.js';
import type { ReportDocument } from './report-document.js';
import type { ReportPage } from './report-page.js';
import { continuationHead, drawNotice, drawSectionHead, drawStamps } from './section-frame.js';
import { rowHeight } from './table.js';
import { COLOURS, CONTENT_BOTTOM, CONTENT_WIDTH, PAGE, RIGHT_EDGE } from './theme.js';
import { drawTiles } from './tiles.js';

const BLOCKS_GAP = 12;
const WARNINGS = { sizes: [8, 7], lineHeight: 9, width: CONTENT_WIDTH - 64, maxLines: 2 } as const;
/** Lines of a name, a code or a vehicle: fewer where rows need more pages than are reserved. */
const NAME_LINES = [3, 2, 1] as const;
/** Heading and notes on a page of cut texts, below its head. */
const IN_FULL = { heading: 9, notes: 14 } as const;

type Cover = ReturnType<typeof reserveCover>;
type Arrangement = ReturnType<typeof arrange>;

/** Reserves the pages of the summary before a report, which is drawn at the end, when its content is known. */
export function reserveCover(report: ReportDocument) {
  const { labels, options, file, structure } = report;
  const { driverCount } = options;
  const places = Array.from({ length: coverPages(driverCount) }, () => file.pages.reserve(true));
  const section = structure?.document.child('Sect');
  const columns = coverColumns(labels, driverCount, options.drivingRules !== 'off');
  const subject = [report.organisation, report.dateOf(report.day.day)].filter(Boolean).join(' · ');
  const continued = continuationHead(report, labels.coverTitle, [subject]);
  const [first] = places;
  if (first !== undefined) report.bookmark(labels.coverTitle, first);
  return { report, places, section, columns, continued };
}

/** Draws figures and a row per driver, failed ones first. Pauses after each page, to let its bytes be consumed. */
export function* drawCover(cover: Cover, rows: readonly CoverRow[]): Generator<void> {
  const { report, places, section, continued } = cover;
  const ordered = [...rows.filter(({ kind }) => kind === 'failed'), ...rows.filter(({ kind }) => kind === 'day')];
  report.typesetter.takeStandIn();
  const arrangement = arrange(cover, ordered);
  const { lacking } = coverTotalsOf(rows);
  const notes = [...arrangement.inFull];
  if (Object.values(lacking).some((trips) => trips > 0)) notes.push(report.labels.doubtedOnPage);
  const people = ordered.map(({ identity: { code, name } }) => ({ employeeCode: code, employeeName: name }));
  notes.push(...standInNote(report, people, 'regular'));
  const inFull = linesOfNotes(report, notes);
  let table: StructureElement | undefined;
  let isComplete = true;
  for (const [index, place] of places.entries()) {
    const page = report.newPage(section);
    if (index === 0) drawHead(report, page, rows);
    else continued.draw(page, report.labels.pageOfCover(index + 1, places.length));
    if (rows.length > 0) {
      // Begun here, so that screen readers read it after the heading.
      table ??= section?.child('Table');
      const y = drawRows(cover, page, table, ordered, arrangement, index);
      if (index === places.length - 1) isComplete = drawEnd(report, page, inFull, y);
    }
    report.write(page, index + 1, place);
    yield;
  }
  table?.end();
  if (!isComplete) yield* drawInFull(cover, inFull);
  section?.end();
}

function drawHead(report: ReportDocument, page: ReportPage, rows: readonly CoverRow[]): void {
  const { labels, options, typesetter } = report;
  drawSectionHead(report, page, labels.coverTitle);
  drawStamps(report, page);
  drawTiles(page, coverTiles(labels, rows), COVER.tilesTop);
  if (rows.length === 0) {
    drawNotice(page, labels.noDrivers, labels.noDriversDetail, COVER.tableTop);
    return;
  }
  const baseline = COVER.tableTop - 6;
  page.heading(labels.driversHeading, PAGE.left, baseline, 60);
  const totals = coverTotalsOf(rows);
  const rules = options.drivingRules;
  const found: readonly (readonly [count: number, text: (count: number) => string])[] = [
    [report.notOver.length, () => report.notOver],
    [rows.length - totals.reports, labels.failedHeading],
    [totals.listedTwice, labels.driversListedTwice],
    [totals.sharedVehicles, labels.sharedVehicles],
    [totals.impossible, labels.tripsExcluded],
    [totals.gaps, labels.gaps],
    [totals.driversWithoutAddresses, labels.driversWithoutAddresses],
    [totals.pagesBeyondRules, (count) => (rules === 'off' ? '' : labels.pagesBeyondRules(count, rules))],
  ];
  const warnings = found.flatMap(([count, text]) => (count > 0 ? [text(count)] : []));
  if (warnings.length === 0) return;
  const { lineHeight, width } = WARNINGS;
  const { lines, size } = warningLines(typesetter, warnings);
  const first = baseline - (lines.length - 1) * lineHeight;
  const style = { size, weight: 'bold', colour: COLOURS.red, align: 'right', width } as const;
  page.lines(lines, { x: RIGHT_EDGE - width, baseline: first, lineHeight }, style);
}

function drawRows(
  { report, columns }: Cover,
  page: ReportPage,
  table: StructureElement | undefined,
  ordered: readonly CoverRow[],
  { maxLines, padding, parts }: Arrangement,
  index: number,
): number {
  const { from, to } = parts[index] ?? { from: 0, to: 0 };
  const { labels } = report;
  const isContinued = index > 0;
  const sumsOf = (summed: readonly CoverRow[], label: string, name: string) =>
    coverSums(report, columns, summed, label, name);
  return drawTable({
    page,
    table,
    columns,
    rows: ordered.slice(from, to).map((row, place) => coverRow(report, columns, row, from + place, maxLines).row),
    top: isContinued ? COVER.continuedTop : COVER.tableTop,
    padding,
    isContinued,
    carried: isContinued
      ? sumsOf(ordered.slice(0, from), labels.carriedForward, `carried to page ${index + 1}`)
      : undefined,
    total: to < ordered.length ? undefined : sumsOf(ordered, labels.total, 'total'),
    hasClosedSums: false,
  });
}

/** Draws the content below the table. @returns false if the cut texts did not fit there */
function drawEnd(report: ReportDocument, page: ReportPage, inFull: readonly Note[], top: number): boolean {
  const fits = top + notesHeight(inFull) <= CONTENT_BOTTOM;
  const bottom = fits ? drawNotes(page, inFull, top) : top;
  const blocks = report.blocks.filter((block) => block === 'remarks');
  drawBlocks(report, page, placeBlocks(blocks, bottom + BLOCKS_GAP), '');
  return fits;
}

/** Draws pages after all others with the texts cut on the cover, and pauses after each. */
function* drawInFull({ report, section, continued }: Cover, notes: readonly Note[]): Generator<void> {
  const { bottom: below } = continued;
  const top = below + IN_FULL.notes;
  for (let from = 0; from < notes.length;) {
    const page = report.newPage(section);
    continued.draw(page, '');
    page.heading(report.labels.inFullHeading, PAGE.left, below + IN_FULL.heading, CONTENT_WIDTH);
    let to = from + 1;
    while (to < notes.length && top + notesHeight(notes.slice(from, to + 1)) <= CONTENT_BOTTOM) to += 1;
    drawNotes(page, notes.slice(from, to), top);
    from = to;
    report.write(page);
    yield;
  }
}

/**
 * Arranges rows on the reserved pages, as roomy as they allow; cuts texts only for lack of space. Keeps the heights
 * alone: ten thousand rows would take 24 MiB.
 */
function arrange({ report, places, columns }: Cover, ordered: readonly CoverRow[]) {
  const pages = places.length;
  const { roomy, tight, step } = COVER.padding;
  const fit = (maxLines: number) => {
    const inFull: string[] = [];
    const heights = ordered.map((each, index) => {
      const made = coverRow(report, columns, each, index, maxLines);
      if (made.inFull !== undefined) inFull.push(made.inFull);
      return rowHeight(made.row, 0);
    });
    let padding: number = roomy;
    let parts = coverParts(heights, padding);
    while (parts.length > pages && padding > tight) {
      padding = Math.max(tight, padding - step);
      parts = coverParts(heights, padding);
    }
    return { inFull, maxLines, padding, parts: onPages(parts, pages) };
  };
  const [most, ...fewer] = NAME_LINES;
  let found = fit(most);
  for (const maxLines of fewer) if (found.parts.length > pages) found = fit(maxLines);
  return found;
}

/** Divides warnings among lines, each whole on one if smaller letters allow it. */
function warningLines(typesetter: ReportDocument['typesetter'], warnings: readonly string[]) {
  const { sizes, width, maxLines } = WARNINGS;
  for (const size of sizes) {
    const lines: string[] = [];
    for (const warning of warnings) {
      const longer = [...lines.slice(-1), warning].join('\u3000');
      const fits = lines.length > 0 && typesetter.width(longer, 'bold', size) <= width;
      lines.splice(fits ? -1 : lines.length, 1, fits ? longer : warning);
    }
    if (lines.length <= maxLines) return { lines, size };
  }
  const [, size] = sizes;
  return { lines: wrapText(typesetter, warnings.join('\u3000'), 'bold', size, width, maxLines).lines, size };
}
