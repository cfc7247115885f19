import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { drawReport } from '../../src/reports/render/draw-report.js';
import type { DayOutcome, ReportTrip } from '../../src/reports/model.js';
import { readOutcomes, SAMPLE_DATE } from '../support/sample-report.js';
import type { FontLibrary } from '../../src/reports/text/font-library.js';

const LATIN_FONT = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
);

const HEADINGS = ['No.', 'Start', 'From', 'End', 'To', 'Distance', 'Duration', 'Idle', 'Stops', 'Average', 'Top'];

function cells(trip: ReportTrip, index: number): string[] {
  const minutes = (Date.parse(trip.end.time) - Date.parse(trip.start.time)) / 60_000;
  return [
    String(index + 1),
    trip.start.time.slice(11, 16),
    trip.startAddress ?? '',
    trip.end.time.slice(11, 16),
    trip.endAddress ?? '',
    (trip.distanceMeters / 1000).toFixed(1),
    minutes.toFixed(0),
    String(trip.idleSeconds),
    String(trip.stopCount),
    ((trip.distanceMeters / minutes) * 0.06).toFixed(1),
    String(trip.maxSpeedKmh),
  ];
}

/** Our report, with or without tags for screen readers, which no other contender writes; @returns its pages */
export async function drawOurs(days: readonly DayOutcome[], fonts: FontLibrary, isTagged: boolean): Promise<number> {
  const options = {
    jobId: 'bench',
    org: 'Tohto Transport',
    createdAt: new Date(0),
    date: SAMPLE_DATE,
    driverCount: days.length,
    locale: 'en',
    speedLimitKmh: 80,
    overLimitMinSeconds: 10,
    drivingRules: 'off',
    // On a full day, the blocks for handwriting have a page of their own, and no other contender draws them.
    form: { blocks: [], labels: {}, era: false },
  } as const;
  const maxTaggedPages = isTagged ? Infinity : 0;
  const drawing = drawReport(options, readOutcomes(days, options), { fonts, maxTaggedPages, compress: true });
  for (;;) {
    const step = await drawing.next();
    if (step.done === true) return step.value.pages;
  }
}

/** The least that pdfkit can do for the same days: a table without wrapping and a chart, in one Latin font. */
export async function drawWithPdfkit(days: readonly DayOutcome[]): Promise<void> {
  const document = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false, font: LATIN_FONT });
  const ended = finished(document.resume());
  for (const { driver, trips } of days) {
    document.addPage().fontSize(8);
    document.text(`${driver.employeeName} ${driver.employeeCode}`, 36, 40, { lineBreak: false });
    [HEADINGS, ...trips.map(cells)].forEach((row, line) => {
      const y = 440 + line * 15.5;
      document.moveTo(36, y).lineTo(559, y).stroke('#cccccc');
      row.forEach((cell, column) => document.text(cell, 36 + column * 47, y + 4, { lineBreak: false }));
    });
    const points = trips.flatMap(({ track }) => track);
    const first = Date.parse(points[0]?.time ?? '');
    const span = Date.parse(points.at(-1)?.time ?? '') - first;
    points.forEach((point, index) => {
      const x = 60 + ((Date.parse(point.time) - first) / span) * 314;
      if (index === 0) document.moveTo(x, 300 - point.speedKmh);
      else document.lineTo(x, 300 - point.speedKmh);
    });
    document.stroke('#000000');
  }
  document.end();
  await ended;
}
