/**
 * A4 page and its margins, in points from the top left corner. On the left, holes are punched up to 15 mm from the
 * edge; office printers print nothing within 5 mm of any edge.
 */
export const PAGE = { width: 595.28, height: 841.89, left: 60, right: 28, top: 24 } as const;
export const CONTENT_WIDTH = PAGE.width - PAGE.left - PAGE.right;
export const RIGHT_EDGE = PAGE.width - PAGE.right;
/** Lower end of the content; only the footer is below. */
export const CONTENT_BOTTOM = PAGE.height - 45;

/** Colour as the operands of the PDF operators `rg` and `RG`. */
export type Colour = string;

/** Colours of a report. Text is ink, navy or red, which are all nearly black on a black-and-white printer. */
export const COLOURS = {
  ink: '.09 .11 .15',
  /** Colour of rules, axes and speeds that do not count; never of text. */
  muted: '.38 .42 .48',
  hairline: '.72 .74 .77',
  panel: '.955 .962 .972',
  navy: '.07 .14 .27',
  blue: '.13 .38 .76',
  wash: '.87 .92 .98',
  red: '.52 0 .04',
  redWash: '.98 .92 .91',
  green: '.05 .40 .25',
  white: '1 1 1',
} as const satisfies Record<string, Colour>;
