import { describe, expect, it } from '@jest/globals';
import { ReportRenderError } from '../../src/reports/render/session.js';
import { createReportRenderer, type ReportRenderer } from '../../src/reports/render/renderer.js';
import { arriving, dayOf, OPTIONS, read, trip } from '../unit/reports/drawn.js';

const never = new AbortController().signal;

describe('a drawing thread that dies', () => {
  it('fails its report alone: the next one gets a new thread', async () => {
    const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300, maxWorkerHeapMb: 96 });
    try {
      const point = { time: '2024-05-17T08:00:00+09:00', lat: 35, lng: 139, speedKmh: 40 };
      const heavy = dayOf(
        Array.from({ length: 150_000 }, () => trip({ track: Array.from({ length: 4 }, () => point) })),
      );
      const drawing = collect(renderer.render(OPTIONS, arriving([heavy]), never));
      await expect(drawing).rejects.toBeInstanceOf(ReportRenderError);
      await expect(oneReport(renderer)).resolves.toBe(1);
    } finally {
      await renderer.close();
    }
  });
});

async function oneReport(renderer: ReportRenderer): Promise<number> {
  const bytes = await collect(renderer.render(OPTIONS, arriving([dayOf([trip()])]), never));
  return (await read(bytes)).pages.length;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
