/** A4 and the lines everything stands on, in points from the top left corner. */
export const PAGE = { width: 595.28, height: 841.89, margin: 36 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;
export const RIGHT_EDGE = PAGE.width - PAGE.margin;
/** Nothing but the footer stands below this line. */
export const CONTENT_BOTTOM = PAGE.height - 50;

/** A colour as the operands of the PDF operators `rg` and `RG`. */
export type Colour = string;

export const COLOURS = {
  ink: '.09 .11 .15',
  muted: '.38 .42 .48',
  hairline: '.82 .84 .87',
  panel: '.965 .972 .982',
  navy: '.10 .20 .36',
  blue: '.13 .38 .76',
  wash: '.87 .92 .98',
  red: '.74 .10 .12',
  redWash: '.99 .94 .93',
  green: '.05 .48 .30',
  white: '1 1 1',
} as const satisfies Record<string, Colour>;
