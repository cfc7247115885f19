import { spokenAs } from '../pdf/structure.js';
import { fitLine } from '../text/fit-text.js';
import type { Rectangle } from './canvas.js';
import type { ReportPage } from './report-page.js';
import { COLOURS, CONTENT_WIDTH, PAGE } from './theme.js';

export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly isWarning?: boolean;
}

const WARNING_MARK = '▲';
/** Heights, gaps and sizes, in points; baselines from the top of a tile. */
export const TILE = {
  gap: 5,
  height: 33,
  bar: 2,
  inset: 7,
  label: { baseline: 10, size: 7 },
  value: { baseline: 26, size: 14, minScale: 0.75 },
  mark: { size: 9, gap: 2 },
  unit: { size: 6.5, gap: 2 },
} as const;

/** Draws a row of key figures. A warning has a mark, not only a colour. */
export function drawTiles(page: ReportPage, tiles: readonly Tile[], top: number): void {
  const step = (CONTENT_WIDTH + TILE.gap) / tiles.length;
  page.artwork(`tiles ${tiles.length} at ${top}`, (canvas) => {
    const framesOf = (width: number): readonly Rectangle[] =>
      tiles.map((_, index) => ({ x: PAGE.left + index * step, y: top, width, height: TILE.height }));
    canvas.fillRectangles(framesOf(step - TILE.gap), COLOURS.panel);
    canvas.fillRectangles(framesOf(TILE.bar), COLOURS.blue);
  });
  const width = step - TILE.gap - TILE.inset - 2;
  tiles.forEach((tile, index) => {
    const x = PAGE.left + index * step + TILE.inset;
    page.fixture(`tile ${tile.label} at ${top}`, (fixed) =>
      fixed.paragraph(tile.label, x, top + TILE.label.baseline, { size: TILE.label.size, width }),
    );
    drawFigure(page, tile, { x, baseline: top + TILE.value.baseline, width });
  });
}

function drawFigure(
  page: ReportPage,
  { value, unit = '', isWarning = false }: Tile,
  { x, baseline, width }: { readonly x: number; readonly baseline: number; readonly width: number },
): void {
  const { canvas } = page;
  const { typesetter } = canvas;
  const { size, minScale } = TILE.value;
  const markWidth = isWarning ? typesetter.width(WARNING_MARK, 'bold', TILE.mark.size) + TILE.mark.gap : 0;
  const wholeUnit = unit === '' ? 0 : typesetter.width(unit, 'regular', TILE.unit.size) + TILE.unit.gap;
  // Figures are never cut: the unit is left out if there is no space for it.
  const hasUnit = typesetter.width(value, 'bold', size) * minScale <= width - wholeUnit - markWidth;
  const fitted = fitLine(typesetter, value, 'bold', size, width - (hasUnit ? wholeUnit : 0) - markWidth);
  const colour = isWarning ? COLOURS.red : COLOURS.navy;
  const draw = (): void => {
    if (isWarning) canvas.text(WARNING_MARK, x, baseline - 1, { size: TILE.mark.size, weight: 'bold', colour });
    canvas.text(fitted.text, x + markWidth, baseline, { size: fitted.size, weight: 'bold', colour });
    const valueWidth = typesetter.width(fitted.text, 'bold', fitted.size);
    if (hasUnit) canvas.text(unit, x + markWidth + valueWidth + TILE.unit.gap, baseline, { size: TILE.unit.size });
  };
  const spoken = [isWarning ? WARNING_MARK : '', value, unit].filter((part) => part !== '');
  page.content('P', page.section, draw, spoken.length > 1 ? spokenAs(spoken) : undefined);
}
