import { deflateSync } from 'node:zlib';
import { drawReport } from '../../src/reports/render/draw-report.js';
import type { DriverOutcome, ReportTrip } from '../../src/reports/model.js';
import { SAMPLE_DATE } from '../support/sample-report.js';
import type { Day } from './report-day.js';
import type { FontLibrary } from '../../src/reports/text/font-library.js';

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
export async function drawOurs(days: readonly Day[], fonts: FontLibrary, isTagged: boolean): Promise<number> {
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
  } as const;
  async function* arriving(): AsyncGenerator<DriverOutcome> {
    for (const day of days) yield await Promise.resolve(day);
  }
  const drawing = drawReport(options, arriving(), { fonts, maxTaggedPages: isTagged ? Infinity : 0, compress: true });
  for (;;) {
    const step = await drawing.next();
    if (step.done === true) return step.value.pages;
  }
}

/** The floor: a PDF put together by hand, with a standard font, no shaping, no measuring and no design. */
export function drawByHand(days: readonly Day[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = 9;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  const object = (body: string, stream?: Buffer): number => {
    offsets.push(length);
    add(Buffer.from(`${offsets.length} 0 obj\n${body}\n`));
    if (stream !== undefined) {
      add(Buffer.from('stream\n'));
      add(stream);
      add(Buffer.from('\nendstream\n'));
    }
    add(Buffer.from('endobj\n'));
    return offsets.length;
  };
  const font = object('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const pagesId = days.length * 2 + 2;
  const kids = days.map((day) => {
    const content = deflateSync(Buffer.from(contentByHand(day), 'latin1'), { level: 2 });
    const stream = object(`<</Length ${content.length}/Filter/FlateDecode>>`, content);
    const resources = `<</Font<</F1 ${font} 0 R>>>>`;
    return object(
      `<</Type/Page/Parent ${pagesId} 0 R/MediaBox[0 0 595 842]/Contents ${stream} 0 R/Resources${resources}>>`,
    );
  });
  const pages = object(`<</Type/Pages/Count ${kids.length}/Kids[${kids.map((id) => `${id} 0 R`).join(' ')}]>>`);
  const root = object(`<</Type/Catalog/Pages ${pages} 0 R>>`);
  const start = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(Buffer.from(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}`));
  add(Buffer.from(`trailer\n<</Size ${offsets.length + 1}/Root ${root} 0 R>>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

function contentByHand({ driver, trips }: Day): string {
  const escaped = (text: string): string => text.replace(/[()\\]/g, '\\$&');
  let content = `BT /F1 8 Tf 36 800 Td (${escaped(driver.employeeName)} ${driver.employeeCode}) Tj ET\n`;
  [HEADINGS, ...trips.map(cells)].forEach((row, line) => {
    const y = 400 - line * 15.5;
    content += `.8 G 36 ${y - 4} m 559 ${y - 4} l S\n`;
    row.forEach((cell, column) => {
      content += `BT /F1 8 Tf ${36 + column * 47} ${y} Td (${escaped(cell)}) Tj ET\n`;
    });
  });
  const points = trips.flatMap(({ track }) => track);
  const first = Date.parse(points[0]?.time ?? '');
  const span = Date.parse(points.at(-1)?.time ?? '') - first;
  points.forEach((point, index) => {
    const x = 60 + ((Date.parse(point.time) - first) / span) * 314;
    content += `${x.toFixed(2)} ${(470 + point.speedKmh).toFixed(2)} ${index === 0 ? 'm' : 'l'}\n`;
  });
  return `${content}S\n`;
}
