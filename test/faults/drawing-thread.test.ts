import { describe, expect, it } from '@jest/globals';
import { ReportRenderError } from '../../src/reports/render/render-session.js';
import { createReportRenderer, type ReportRenderer } from '../../src/reports/render/renderer.js';
import { arriving, dayOf, OPTIONS, read, trip } from '../unit/reports/drawn.js';

const never = new AbortController().signal;

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

async function oneReport(renderer: ReportRenderer): Promise<number> {
  const bytes = await collect(renderer.render(OPTIONS, () => arriving([dayOf([trip()])]), never));
  return (await read(bytes)).pages.length;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
