import type { FormBlock } from '../form/report-form.js';
import { COLOURS } from './theme.js';

/** Block with its room, in points. */
export interface PlacedBlock {
  readonly block: FormBlock;
  readonly top: number;
  readonly height: number;
}

/** Heights of handwriting areas: a line takes at least six millimetres. */
export const HAND = { row: 19, heads: 12, cell: 26 } as const;
const HEIGHTS: Readonly<Record<FormBlock, number>> = {
  rollCall: HAND.heads + 2 * HAND.row,
  odometer: HAND.cell,
  conditions: 3 * HAND.cell,
  remarks: 40,
};
const MAX_REMARKS = 120;
const GAP = 5;

/** Style of the words beside a space, and of its edges. */
export const HAND_LABEL = { size: 6.5, baseline: 8, inset: 4 } as const;
export const HAND_STROKE = { width: 0.6, colour: COLOURS.muted } as const;

/** Places the blocks that fit, in their order; remarks take the rest of the room. */
export function placeBlocks(blocks: readonly FormBlock[], top: number, bottom: number): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = [];
  let y = top;
  for (const block of blocks) {
    const height = HEIGHTS[block];
    if (y + height > bottom) continue;
    placed.push({ block, top: y, height });
    y += height + GAP;
  }
  const spare = bottom - (y - GAP);
  const grown = placed.findIndex(({ block }) => block === 'remarks');
  if (grown < 0) return placed;
  const extra = Math.max(0, Math.min(spare, MAX_REMARKS - HEIGHTS.remarks));
  return placed.map(({ block, top: at, height }, index) => ({
    block,
    top: index > grown ? at + extra : at,
    height: index === grown ? height + extra : height,
  }));
}
