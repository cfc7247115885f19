import { describe, expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { DRIVER_LAYOUTS, TILES_TOP } from '../../../src/reports/page/driver-layout.js';
import { PAGE, RIGHT_EDGE } from '../../../src/reports/page/theme.js';
import { TILE } from '../../../src/reports/page/tiles.js';
import { describeWith } from '../../support/system-tools.js';
import { dayOf, draw, read, trip, tripsInARow, type PlacedText } from './drawn.js';
import { inkIn, printAllGrey, printGrey, type Box, type GreyPicture } from './grey-picture.js';
import { rowsOf } from './printed-tables.js';
import { worstReport } from './worst-days.js';

const MM = 72 / 25.4;
/** Where office printers print nothing, and where holes are punched. */
const UNPRINTABLE = 5 * MM;
const PUNCHED = 20 * MM;

const [ROOMY] = DRIVER_LAYOUTS;

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
      const pictures = printAllGrey(bytes);
      expect(pictures).toHaveLength(pages);
      for (const picture of pictures) expect(edges.map((edge) => inkIn(picture, edge).sum)).toEqual([0, 0, 0, 0]);
    },
  );

  describe('in black and white', () => {
    /** The same day, drawn below and over the limit. */
    const drives = async (limit: number): Promise<{ picture: GreyPicture; page: readonly PlacedText[] }> => {
      const track = trip().track.map((point, index) => ({ ...point, speedKmh: index % 2 === 0 ? 92 : 40 }));
      const { bytes } = await draw([dayOf([trip({ maxSpeedKmh: 92, track })])], { speedLimitKmh: limit });
      return { picture: printGrey(bytes, 1), page: (await read(bytes)).pages[0] ?? [] };
    };

    it('has more ink where a speed is over the limit: in its tile, its row and its chart', async () => {
      const [calm, fast] = [await drives(200), await drives(91)];
      const tile: Box = {
        left: RIGHT_EDGE - 60,
        top: TILES_TOP + 15,
        right: RIGHT_EDGE,
        bottom: TILES_TOP + TILE.height,
      };
      expect(inkIn(fast.picture, tile).sum).toBeGreaterThan(1.1 * inkIn(calm.picture, tile).sum);
      const cellOf = ({ page }: typeof calm): Box => {
        const [row] = rowsOf(page, 'en', 1);
        const y = row?.texts[0]?.y ?? NaN;
        return { left: RIGHT_EDGE - 45, top: y - 12, right: RIGHT_EDGE, bottom: y + 8 };
      };
      expect(inkIn(fast.picture, cellOf(fast)).sum).toBeGreaterThan(1.5 * inkIn(calm.picture, cellOf(calm)).sum);
      // Peaks stand in other places where the axis reaches higher, so all of the chart is compared.
      const { plot } = ROOMY;
      const line = (picture: GreyPicture): number => {
        let dark = 0;
        for (let x = plot.left; x < plot.right; x += 1) {
          const column = { left: x, top: plot.top - 8, right: x + 1, bottom: plot.bottom - 3 };
          if (inkIn(picture, column).max > 200) dark += 1;
        }
        return dark;
      };
      expect(line(fast.picture)).toBeGreaterThan(line(calm.picture));
    });

    it('has more ink in a row that does not count, and a dark bar beside it', async () => {
      const wrong: DriverOutcome = dayOf([trip(), trip({ distanceMeters: 15_000 })]);
      const { bytes } = await draw([wrong]);
      const picture = printGrey(bytes, 1);
      const rows = rowsOf((await read(bytes)).pages[0] ?? [], 'en', 1);
      const [sound, flagged] = rows.map(({ texts }) => texts[0]?.y ?? NaN);
      const beside = (y = NaN): Box => ({ left: PUNCHED, top: y - 9, right: PAGE.left, bottom: y + 5 });
      expect([inkIn(picture, beside(sound)).max, inkIn(picture, beside(flagged)).max > 200]).toEqual([0, true]);
      const whole = (y = NaN, height: number): Box => ({
        left: PAGE.left,
        top: y - 12,
        right: RIGHT_EDGE,
        bottom: y + height,
      });
      expect(inkIn(picture, whole(flagged, 8)).sum).toBeGreaterThan(inkIn(picture, whole(sound, 8)).sum);
    });

    it('has more ink in a tile that warns than in one that does not', async () => {
      const outcomes = [...Array.from({ length: 3 }, () => dayOf([]))];
      const withFailure = [...outcomes.slice(1), worstReport().at(-1) ?? dayOf([])];
      const tile: Box = { left: PAGE.left + 170, top: 110, right: PAGE.left + 250, bottom: 135 };
      const inkOf = async (drivers: readonly DriverOutcome[]): Promise<number> =>
        inkIn(printGrey((await draw(drivers)).bytes, 1), tile).sum;
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
