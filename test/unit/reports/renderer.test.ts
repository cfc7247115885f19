import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drivingDay } from '../../../src/reports/day/report-date.js';
import type { DrawnFile, DriverOutcome, ReadEnds, TrackPoint } from '../../../src/reports/model.js';
import { ReportRenderError } from '../../../src/reports/render/render-session.js';
import { createReportRenderer, type ReportRenderer } from '../../../src/reports/render/renderer.js';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import { observerOf } from '../../../src/programs/telemetry/observers.js';
import { captureLog } from '../../support/captured-log.js';
import { readingEnds, sampleOutcome, sampleOutcomes } from '../../support/sample-report.js';
import { waitFor } from '../../support/wait-for.js';
import { arriving, dayOf, draw, failed, OPTIONS, read, trip, tripsInARow } from './drawn.js';

const never = new AbortController().signal;

describe('the report renderer', () => {
  let renderer: ReportRenderer;

  beforeAll(() => {
    renderer = createReportRenderer({ maxTaggedPages: 300, workers: 2 });
  });
  afterAll(() => renderer.close());

  it('draws the same bytes in a thread as without one, whichever thread and however often', async () => {
    const outcomes = Array.from({ length: 30 }, (_, index) => sampleOutcome(index, { locale: 'ja' }));
    const { bytes } = await draw(outcomes, {}, { compress: true });
    const report = { ...OPTIONS, driverCount: outcomes.length };
    const rendered = await Promise.all(
      [1, 2, 3].map(() => collect(renderer.render(report, () => arriving(outcomes), never))),
    );
    for (const other of rendered) expect(Buffer.compare(other, bytes)).toBe(0);
  });

  it('draws days that are too long for one message like all others', async () => {
    const long = tripsInARow(60).map((each) => ({ ...each, track: Array(40).fill(each.track).flat() as TrackPoint[] }));
    const outcomes = [dayOf(long), dayOf([trip()]), failed('unknown'), dayOf(long), dayOf([])];
    const { bytes } = await draw(outcomes, {}, { compress: true });
    const report = { ...OPTIONS, driverCount: outcomes.length };
    const rendered = await collect(renderer.render(report, () => arriving(outcomes), never));
    expect(Buffer.compare(rendered, bytes)).toBe(0);
  });

  it('reads the ends of a day in its thread, and draws the same as without being asked', async () => {
    const long = tripsInARow(60).map((each) => ({ ...each, track: Array(40).fill(each.track).flat() as TrackPoint[] }));
    const impossible = trip({ start: { ...trip().start, lat: 91 } });
    const days = [dayOf(long), dayOf([impossible]), dayOf([])];
    const { bytes } = await draw(days, {}, { compress: true });
    const ends: Awaited<ReturnType<ReadEnds>>['ends'][] = [];
    async function* asking(readEnds: ReadEnds): AsyncGenerator<DriverOutcome> {
      for (const outcome of days) {
        const read = await readEnds(outcome.kind === 'day' ? outcome.trips : []);
        ends.push(read.ends);
        yield { ...outcome, ...(outcome.kind === 'day' && { sent: read.sent }) };
      }
    }
    const rendered = await collect(renderer.render({ ...OPTIONS, driverCount: days.length }, asking, never));
    expect(Buffer.compare(rendered, bytes)).toBe(0);
    const day = drivingDay(OPTIONS.date, OPTIONS.timeZone);
    expect(ends).toEqual([(await readingEnds(day, 1)(long)).ends, [expect.objectContaining({ lat: 35.71 })], []]);
  });

  it('lets nobody wait for the ends of a day whose report is not drawn any more', async () => {
    const abort = new AbortController();
    const asked: Promise<unknown>[] = [];
    async function* asking(readEnds: ReadEnds): AsyncGenerator<DriverOutcome> {
      yield dayOf([trip()]);
      abort.abort(new Error('enough'));
      asked.push(readEnds([trip()]));
      await Promise.all(asked);
    }
    const drawing = collect(renderer.render({ ...OPTIONS, driverCount: 2 }, asking, abort.signal));
    await expect(drawing).rejects.toThrow('enough');
    await expect(asked[0]).rejects.toThrow('enough');
  });

  it('tells of characters without a font, and has the table of its figures', async () => {
    const missing: Record<string, number>[] = [];
    const outcome = dayOf([], { employeeName: '\u{12000}' });
    let table: DrawnFile['table'] | undefined;
    const tell = (file: DrawnFile): void => {
      missing.push(Object.fromEntries(file.missingCharacters));
      table = file.table;
    };
    await collect(renderer.render(OPTIONS, () => arriving([outcome]), never, tell));
    expect(missing).toEqual([{ '\u{12000}': 1 }]);
    expect((await buffer(table ?? arriving([]))).toString().split('\r\n')).toEqual([
      expect.stringMatching(/^\ufeffrow,/),
      expect.stringContaining(',\u{12000},'),
      '',
    ]);
  });

  it('fetches a few drivers ahead and no more while its bytes are not taken', async () => {
    let fetched = 0;
    async function* counted(): AsyncGenerator<DriverOutcome> {
      for await (const outcome of sampleOutcomes(1_000, { locale: 'en' })) {
        fetched += 1;
        yield outcome;
      }
    }
    const bytes = renderer.render({ ...OPTIONS, driverCount: 1_000 }, counted, never)[Symbol.asyncIterator]();
    await bytes.next();
    // A thread stops when it has four chunks of 256 KiB on their way; then the number stands still.
    let last = -1;
    await waitFor('fetching to stand still', async () => {
      const before = fetched;
      await new Promise((resolve) => setTimeout(resolve, 150));
      const isStill = before === fetched && last === fetched;
      last = fetched;
      return isStill;
    });
    expect(fetched).toBeGreaterThan(4);
    expect(fetched).toBeLessThan(900);
    await bytes.return?.();
    await expect(oneReport(renderer)).resolves.toBe(1);
  });

  it('stops when it is aborted, with the reason, and its thread draws the next report', async () => {
    const abort = new AbortController();
    const reason = new Error('the deadline has passed');
    const drawing = collect(
      renderer.render({ ...OPTIONS, driverCount: 5_000 }, () => sampleOutcomes(5_000, { locale: 'en' }), abort.signal),
    );
    setTimeout(() => abort.abort(reason), 50);
    await expect(drawing).rejects.toBe(reason);
    await expect(oneReport(renderer)).resolves.toBe(1);
    await expect(
      collect(renderer.render(OPTIONS, () => arriving([dayOf([])]), AbortSignal.abort(reason))),
    ).rejects.toBe(reason);
  });

  it('throws what the drivers throw', async () => {
    const reason = new Error('backend-api is down');
    async function* broken(): AsyncGenerator<DriverOutcome> {
      yield await Promise.resolve(dayOf([]));
      throw reason;
    }
    await expect(collect(renderer.render({ ...OPTIONS, driverCount: 2 }, broken, never))).rejects.toBe(reason);
    await expect(oneReport(renderer)).resolves.toBe(1);
  });

  it('says which report could not be drawn and why', async () => {
    const tooFew = renderer.render({ ...OPTIONS, jobId: 'few', driverCount: 3 }, () => arriving([dayOf([])]), never);
    await expect(collect(tooFew)).rejects.toThrow(/^Report few could not be drawn: .*announced with 3 drivers/);
  });

  it('ends the drivers when the rest of the report is not wanted', async () => {
    let isEnded = false;
    async function* watched(): AsyncGenerator<DriverOutcome> {
      try {
        yield* sampleOutcomes(2_000, { locale: 'en' });
      } finally {
        isEnded = true;
      }
    }
    for await (const bytes of renderer.render({ ...OPTIONS, driverCount: 2_000 }, watched, never)) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    await waitFor('the drivers to be ended', () => isEnded);
  });
});

it('a thread without reports ends after a while, and the next report has a new one', async () => {
  const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300, idleMs: 100 });
  const threads = async (): Promise<number> => (await readdir('/proc/self/task')).length;
  try {
    const before = await threads();
    for (let round = 0; round < 2; round += 1) {
      const drawing = renderer.render(OPTIONS, () => arriving([dayOf([trip()])]), never)[Symbol.asyncIterator]();
      await drawing.next();
      const during = await threads();
      expect(during).toBeGreaterThan(before);
      while ((await drawing.next()).done !== true);
      await waitFor('the thread to end', async () => (await threads()) < during);
    }
  } finally {
    await renderer.close();
  }
});

describe('a drawing thread that dies', () => {
  const point = { time: '2024-05-17T08:00:00+09:00', lat: 35, lng: 139, speedKmh: 40 };
  const points = (count: number): (typeof point)[] => Array.from({ length: count }, () => ({ ...point }));

  it.each([
    ['many trips', 64, () => Array.from({ length: 80_000 }, () => trip({ track: points(4) }))],
    ['one trip as long as a reply can hold', 56, () => [trip({ track: points(280_000) })]],
  ])('of %s fails its report alone: the next one gets a new thread', async (_what, maxWorkerHeapMb, trips) => {
    const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300, maxWorkerHeapMb });
    try {
      const drawing = collect(renderer.render(OPTIONS, () => arriving([dayOf(trips())]), never));
      await expect(drawing).rejects.toBeInstanceOf(ReportRenderError);
      await expect(oneReport(renderer)).resolves.toBe(1);
    } finally {
      await renderer.close();
    }
  });
});

describe('a drawing thread that cannot start', () => {
  // Less than its modules take.
  const maxWorkerHeapMb = 4;

  it('lets its report wait, whose next try starts another one, and says after three within a minute to restart', async () => {
    const { logger, entries } = captureLog();
    let failures = 0;
    const observer = observerOf({ drawingStart: () => ({ within: (work) => work(), finish: () => (failures += 1) }) });
    const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300, maxWorkerHeapMb, logger, observer });
    let asked = 0;
    async function* drivers(): AsyncGenerator<DriverOutcome> {
      asked += 1;
      yield await Promise.resolve(dayOf([]));
    }
    for (let start = 1; start <= 4; start += 1) {
      const render = (): Promise<unknown> => collect(renderer.render(OPTIONS, drivers, never));
      const reason: unknown = expect.any(ServiceUnavailableError);
      const rejected = { status: 'rejected', reason };
      expect(await Promise.allSettled([render(), render()])).toEqual([rejected, rejected]);
      expect(failures).toBe(start);
      expect(entries().map(({ event }) => event)).toEqual(start < 3 ? [] : ['report.drawing_stuck']);
    }
    expect(asked).toBe(0);
    await renderer.close();
  });
});

describe('a closed renderer', () => {
  it('fails the report that is being drawn and refuses the next', async () => {
    const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
    const report = { ...OPTIONS, driverCount: 5_000 };
    const rendering = renderer.render(report, () => sampleOutcomes(5_000, { locale: 'en' }), never);
    const bytes = rendering[Symbol.asyncIterator]();
    await bytes.next();
    const rest = (async () => {
      while ((await bytes.next()).done !== true);
    })();
    const outcome = expect(rest).rejects.toBeInstanceOf(ReportRenderError);
    await renderer.close();
    await outcome;
    await expect(oneReport(renderer)).rejects.toThrow(/closed/);
  });
});

async function oneReport(renderer: ReportRenderer): Promise<number> {
  const bytes = await collect(renderer.render(OPTIONS, () => arriving([dayOf([trip()])]), never));
  return (await read(bytes)).pages.length;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
