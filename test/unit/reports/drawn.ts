import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import { drawReport, type DrawnReport } from '../../../src/reports/render/draw-report.js';
import type { DriverOutcome, ReportOptions, ReportTrip } from '../../../src/reports/model.js';
import { FontLibrary } from '../../../src/reports/text/font-library.js';
import { readOutcomes } from '../../support/sample-report.js';
import { readPlacedTexts as read, type PlacedText } from '../../support/pdf-text.js';

export { read, type PlacedText };

/** Fonts are parsed once for the tests of a file. */
const fonts = new FontLibrary();

export const OPTIONS: ReportOptions = {
  jobId: '018f8a3e-7c1d-7e2a-9b54-2f1d6c0a8e91',
  org: 'Tohto Transport',
  createdAt: new Date('2024-05-17T21:00:00Z'),
  date: '2024-05-17T09:00:00+09:00',
  driverCount: 1,
  locale: 'en',
  speedLimitKmh: 80,
  overLimitMinSeconds: 10,
  drivingRules: 'off',
};

export interface Drawn extends DrawnReport {
  readonly bytes: Uint8Array;
  readonly table: string;
}

/** Draws a report in this thread; the number of drivers is that of `outcomes`. */
export async function draw(
  outcomes: readonly DriverOutcome[],
  options: Partial<ReportOptions> = {},
  settings: { compress?: boolean; maxTaggedPages?: number } = {},
): Promise<Drawn> {
  const { compress = false, maxTaggedPages = 300 } = settings;
  const report = { ...OPTIONS, driverCount: outcomes.length, ...options };
  let table = '';
  const drawing = drawReport(report, readOutcomes(outcomes, report), {
    fonts,
    maxTaggedPages,
    compress,
    onTable: (text) => (table += text),
  });
  const chunks: Uint8Array[] = [];
  for (;;) {
    const step = await drawing.next();
    if (step.done === true) return { ...step.value, bytes: Buffer.concat(chunks), table };
    chunks.push(step.value);
  }
}

/** Draws a report and reads what is on its pages. */
export async function printed(...report: Parameters<typeof draw>): ReturnType<typeof read> {
  return read((await draw(...report)).bytes);
}

/** Draws a report. @returns all texts of its first page */
export async function firstPage(...report: Parameters<typeof draw>): Promise<string> {
  return words((await printed(...report)).pages[0]);
}

export async function* arriving<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

export const DRIVER = {
  mobileId: '100001',
  employeeCode: 'E20021',
  employeeName: '齋藤 健一郎',
  vehicle: { num: 'TK-1042', name: 'Refrigerated truck, 4 t' },
} as const;

export function dayOf(trips: readonly ReportTrip[], driver: Partial<typeof DRIVER> | object = {}): DriverOutcome {
  return { kind: 'day', driver: { ...DRIVER, ...driver }, trips };
}

export function failed(detail: string, driver: object = {}): DriverOutcome {
  return { kind: 'failed', driver: { ...DRIVER, ...driver }, reason: 'not found', detail };
}

/** A trip of half an hour with a track, from 08:00 in the offset of the report. */
export function trip(changes: Partial<ReportTrip> = {}): ReportTrip {
  const at = (minute: number): string =>
    new Date(Date.parse('2024-05-17T08:00:00+09:00') + minute * 60_000).toISOString();
  const track = [0, 5, 10, 15, 20, 25, 30].map((minute) => ({
    time: at(minute),
    lat: 35.65 + minute * 0.002,
    lng: 139.75 + minute * 0.001,
    speedKmh: minute === 0 || minute === 30 ? 0 : 40 + minute,
  }));
  return {
    start: { time: at(0), lat: 35.65, lng: 139.75 },
    end: { time: at(30), lat: 35.71, lng: 139.78 },
    startAddress: '東京都江東区豊洲三丁目3番3号',
    endAddress: '2-1-1 Hamacho, Funabashi',
    distanceMeters: 15_250,
    stopCount: 3,
    maxSpeedKmh: 65,
    idleSeconds: 185,
    track,
    ...changes,
  };
}

/** So many trips of four minutes, one after the other from 00:00 on. @param every minutes between their starts */
export function tripsInARow(count: number, every = 7): ReportTrip[] {
  const dayStart = Date.parse('2024-05-17T00:00:00+09:00');
  return Array.from({ length: count }, (_, index) => {
    const at = (minute: number): string => new Date(dayStart + (index * every + minute) * 60_000).toISOString();
    const { start, end, track } = trip();
    return trip({
      start: { ...start, time: at(0) },
      end: { ...end, lat: 35.658, lng: 139.754, time: at(4) },
      distanceMeters: 1_250,
      maxSpeedKmh: 60,
      idleSeconds: 30,
      stopCount: index,
      track: track
        .slice(0, 5)
        .map((point, minute) => ({
          ...point,
          lat: 35.65 + minute * 0.002,
          lng: 139.75 + minute * 0.001,
          time: at(minute),
        })),
    });
  });
}

/** All texts of a page in the order in which they are read aloud or copied. */
export function words(page: readonly PlacedText[] | undefined): string {
  return (page ?? []).map(({ text }) => text).join('\n');
}

declare module 'expect' {
  interface Matchers<R> {
    /** A page prints a text or a pattern. A failure shows the place that is most like it, not the page. */
    toPrint(wanted: string | RegExp): R;
  }
}

expect.extend({
  toPrint(page: unknown, wanted: string | RegExp) {
    if (typeof page !== 'string')
      return { pass: this.isNot ?? false, message: () => 'The texts of a page are no text.' };
    const [found] = (typeof wanted === 'string' ? page.includes(wanted) && [wanted] : wanted.exec(page)) || [];
    const like = found ?? (typeof wanted === 'string' ? wanted : wanted.source.replaceAll('\\', ''));
    const message = (): string =>
      `The page must ${found === undefined ? '' : 'not '}print ${String(wanted)}, and has: ${nearest(page, like)}`;
    return { pass: found !== undefined, message };
  },
});

/** The place of a page that is most like a text: what stands around the longest part that both have. */
function nearest(page: string, text: string): string {
  for (let length = Math.min(text.length, 200); length > 1; length -= 1) {
    for (let from = 0; from + length <= text.length; from += 1) {
      const at = page.indexOf(text.slice(from, from + length));
      if (at >= 0) return JSON.stringify(page.slice(Math.max(0, at - 20), at + length + 40));
    }
  }
  return 'nothing like it';
}

/** Writes a report to a file for a program, which may write beside it; returns the program's result. */
export function withFile<T>(bytes: Uint8Array, use: (file: string) => T): T {
  const directory = mkdtempSync(path.join(tmpdir(), 'report-'));
  try {
    const file = path.join(directory, 'report.pdf');
    writeFileSync(file, bytes);
    return use(file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
