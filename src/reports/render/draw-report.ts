import type { FailedDay, ReportOptions } from '../model.js';
import { coverPages } from '../page/cover-layout.js';
import { type CoverRow, driverIdentityOf } from '../page/cover-table.js';
import { drawCover, reserveCover } from '../page/cover-section.js';
import { shownDriver } from '../page/driver-head.js';
import { type DayToDraw, drawDriverSection } from '../page/driver-section.js';
import { ReportDocument } from '../page/report-document.js';
import { dayRows, failedRow, tableHead } from '../table/report-table.js';
import type { FontLibrary } from '../text/font-library.js';

export interface DrawReportSettings {
  readonly fonts: FontLibrary;
  /** Page limit for tagging, counting the cover and one page per driver: more structure would outweigh the pages. */
  readonly maxTaggedPages: number;
  /** Compresses pages; only tests switch it off, to read their content. */
  readonly compress: boolean;
  /** Receives the table of the figures as text, in pieces, while the pages are drawn. */
  readonly onTable?: (text: string) => void;
  /** Awaited after each page of the cover; no waiting if absent. */
  readonly betweenPages?: () => Promise<void>;
}

export interface DrawnReport {
  readonly pages: number;
  /** Characters missing in all fonts, counted once per text; printed as 〓. */
  readonly missingCharacters: ReadonlyMap<string, number>;
}

/**
 * Draws a report as a PDF file (ISO 32000-1), driver by driver as its bytes are consumed: neither the drivers nor the
 * file are ever fully in memory. Equal options, drivers and settings give equal bytes.
 *
 * @param drivers as many outcomes as `options.driverCount` announces
 * @throws {RangeError} if there are more or fewer, or if the date is not RFC 3339
 */
export async function* drawReport(
  options: ReportOptions,
  drivers: AsyncIterable<DayToDraw | FailedDay>,
  settings: DrawReportSettings,
): AsyncGenerator<Uint8Array, DrawnReport> {
  const { driverCount } = options;
  const hasCover = driverCount !== 1;
  // Overflow pages of trips are not known yet, and a file is tagged from its first page or not at all.
  const minPages = driverCount + (hasCover ? coverPages(driverCount) : 0);
  const report = new ReportDocument(options, settings.fonts, {
    isTagged: minPages <= settings.maxTaggedPages,
    compress: settings.compress,
  });
  const { file } = report;
  let cover = hasCover ? reserveCover(report) : undefined;
  const rows: CoverRow[] = [];
  settings.onTable?.(tableHead());
  for await (const outcome of drivers) {
    if (rows.length === driverCount) throw miscounted(driverCount, 'more');
    const number = rows.length + 1;
    const identity = driverIdentityOf(shownDriver(outcome.driver));
    if (outcome.kind === 'failed') {
      rows.push({ kind: 'failed', number, identity, reason: outcome.reason, detail: outcome.detail });
      settings.onTable?.(failedRow(report, number, outcome));
    } else {
      const { section, weighed } = drawDriverSection(report, outcome);
      rows.push({ kind: 'day', number, identity, section });
      settings.onTable?.(dayRows(report, number, outcome, section, weighed));
    }
    yield* file.chunks();
  }
  if (rows.length < driverCount) throw miscounted(driverCount, `only ${rows.length}`);
  // A single driver has a cover only if there is nothing else to print.
  if (report.file.pages.count === 0) cover = reserveCover(report);
  for (const _ of cover === undefined ? [] : drawCover(cover, rows)) {
    yield* file.chunks();
    await settings.betweenPages?.();
  }
  const pages = report.file.pages.count;
  report.end();
  yield* file.chunks(1);
  return { pages, missingCharacters: report.typesetter.missingCharacters };
}

function miscounted(driverCount: number, came: string): RangeError {
  return new RangeError(
    `The report was announced with ${driverCount} drivers, but ${came} came; its cover has pages for the announced number.`,
  );
}
