import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { DRIVER_LAYOUTS, layoutOf, TILES_TOP } from '../../../src/reports/page/driver-layout.js';
import { PAGE, RIGHT_EDGE } from '../../../src/reports/page/theme.js';
import { TILE } from '../../../src/reports/page/tiles.js';
import { describeWith } from '../../support/system-tools.js';
import { dayOf, draw, read, trip, tripsInARow } from './drawn.js';
import { rowsOf } from './printed-tables.js';
import { worstReport } from './worst-days.js';

const MM = 72 / 25.4;
/** Where office printers print nothing, and where holes are punched. */
const UNPRINTABLE = 5 * MM;
const PUNCHED = 20 * MM;

const [ROOMY] = DRIVER_LAYOUTS.map((heights) => layoutOf(heights, 1));

describeWith(['pdftoppm'], 'A printed page', () => {
  it.each(['en', 'ja'] as const)(
    'leaves space for holes and for what a printer cannot reach, in %s',
    async (locale) => {
      const { bytes, pages } = await draw(worstReport(), { locale }, { compress: true });
      const { width, height } = PAGE;
      const edges: readonly Box[] = [
        { left: 0, top: 0, right: PUNCHED, bottom: height },
        { left: 0, top: 0, right: width, bottom: UNPRINTABLE },
        { left: width - UNPRINTABLE, top: 0, right: width, bottom: height },
        { left: 0, top: height - UNPRINTABLE, right: width, bottom: height },
      ];
      for (const edge of edges) expect(inkIn(bytes, edge, 'all')).toEqual({ pages, sum: 0, dark: 0 });
    },
  );

  describe('in black and white', () => {
    it('has more ink where a speed is over the limit: in its tile, its row and its chart', async () => {
      const track = trip().track.map((point, index) => ({ ...point, speedKmh: index % 2 === 0 ? 92 : 40 }));
      const inkOf = async (speedLimitKmh: number) => {
        const { bytes } = await draw([dayOf([trip({ maxSpeedKmh: 92, track })])], { speedLimitKmh });
        const [row] = rowsOf((await read(bytes)).pages[0] ?? [], 'en', 1);
        const y = row?.texts[0]?.y ?? NaN;
        const right = RIGHT_EDGE;
        const { plot } = ROOMY ?? { plot: { left: 0, right: 0, top: 0, bottom: 0 } };
        return {
          tile: inkIn(bytes, { left: right - 60, top: TILES_TOP + 15, right, bottom: TILES_TOP + TILE.height }),
          cell: inkIn(bytes, { left: right - 45, top: y - 12, right, bottom: y + 8 }),
          chart: inkIn(bytes, { ...plot, top: plot.top - 8, bottom: plot.bottom - 3 }),
        };
      };
      const [calm, fast] = [await inkOf(200), await inkOf(91)];
      expect(fast.tile.sum).toBeGreaterThan(1.1 * calm.tile.sum);
      expect(fast.cell.sum).toBeGreaterThan(1.5 * calm.cell.sum);
      expect(fast.chart.dark).toBeGreaterThan(1.1 * calm.chart.dark);
    });

    it('has more ink in a row that does not count, and a dark bar beside it', async () => {
      const { bytes } = await draw([dayOf([trip(), trip({ distanceMeters: 15_000 })])]);
      const rows = rowsOf((await read(bytes)).pages[0] ?? [], 'en', 1);
      const [sound = NaN, flagged = NaN] = rows.map(({ texts }) => texts[0]?.y ?? NaN);
      const beside = (y: number) => inkIn(bytes, { left: PUNCHED, top: y - 9, right: PAGE.left, bottom: y + 5 });
      expect([beside(sound).sum, beside(flagged).dark > 0]).toEqual([0, true]);
      const whole = (y: number) => inkIn(bytes, { left: PAGE.left, top: y - 12, right: RIGHT_EDGE, bottom: y + 8 });
      expect(whole(flagged).sum).toBeGreaterThan(whole(sound).sum);
    });

    it('has more ink in a tile that warns than in one that does not', async () => {
      const outcomes = [...Array.from({ length: 3 }, () => dayOf([]))];
      const withFailure = [...outcomes.slice(1), worstReport().at(-1) ?? dayOf([])];
      const tile: Box = { left: PAGE.left + 170, top: 110, right: PAGE.left + 250, bottom: 135 };
      const inkOf = async (drivers: readonly DriverOutcome[]): Promise<number> =>
        inkIn((await draw(drivers)).bytes, tile).sum;
      expect(await inkOf(withFailure)).toBeGreaterThan(await inkOf(outcomes));
    });
  });
});

describe('What is to be read', () => {
  it('is printed in ink, never in grey', async () => {
    for (const locale of ['en', 'ja'] as const) {
      const { bytes } = await draw([...worstReport(), dayOf(tripsInARow(30))], { locale }, { maxTaggedPages: 0 });
      const shown = coloursOf(Buffer.from(bytes).toString('latin1'));
      expect(shown.length).toBeGreaterThan(1_000);
      expect(shown.filter((colour) => colour !== WHITE && luminanceOf(colour) > 0.2)).toEqual([]);
    }
  });
});

/** On marks, which are dark. */
const WHITE = '1 1 1';

/** The colour of each text of a file that is not compressed. */
function coloursOf(file: string): readonly string[] {
  const shown: string[] = [];
  let colour = '';
  for (const [, fill] of file.matchAll(/([\d.]+ [\d.]+ [\d.]+) rg |\bT[jJ] /g)) {
    if (fill === undefined) shown.push(colour);
    else colour = fill;
  }
  return shown;
}

/** From 0, black, to 1, white, as printers take colours for greys. */
function luminanceOf(colour: string): number {
  const [red = 1, green = 1, blue = 1] = colour.split(' ').map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Part of a page, in points from the top left corner. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const PIXELS_PER_POINT = 2;

/**
 * Prints a box of the first page, or of all, as a black-and-white printer does. Returns how much ink it takes and how
 * many of its pixels are dark, both in pixels.
 */
function inkIn(bytes: Uint8Array, box: Box, pages: 'first' | 'all' = 'first') {
  const [x, y] = [box.left, box.top].map((start) => Math.ceil(start * PIXELS_PER_POINT));
  const [right = 0, bottom = 0] = [box.right, box.bottom].map((end) => Math.floor(end * PIXELS_PER_POINT));
  const size = ['-x', x, '-y', y, '-W', right - (x ?? 0), '-H', bottom - (y ?? 0)].map(String);
  const options = ['-gray', '-r', String(72 * PIXELS_PER_POINT), ...size, ...(pages === 'all' ? [] : ['-l', '1'])];
  const file = execFileSync('pdftoppm', [...options, '-'], { input: bytes, maxBuffer: 2 ** 29 });
  const ink = { pages: 0, sum: 0, dark: 0 };
  for (let at = 0; at < file.length; ink.pages += 1) {
    // A picture of 8-bit samples (PGM) behind the other.
    const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', at, at + 40)) ?? [''];
    const begin = at + head.length;
    at = begin + Number(width) * Number(height);
    for (const sample of file.subarray(begin, at)) {
      ink.sum += (255 - sample) / 255;
      if (sample < 55) ink.dark += 1;
    }
  }
  return ink;
}
