import stringWidth from 'string-width';

/** How a table looks. */
export interface TableOptions {
  /** Stand above the columns, with a rule below them. */
  readonly headings?: readonly string[];
  /** Columns of the terminal the table has to fit into; undefined: as wide as it gets. */
  readonly maxWidth?: number | undefined;
}

interface Column {
  readonly width: number;
  /** Otherwise it holds figures. */
  readonly isText: boolean;
}

const GAP = '  ';
const ELLIPSIS = '…';
/** Columns are not narrowed any further. */
const MIN_WIDTH = 8;

const graphemes = new Intl.Segmenter();

/**
 * Lines of a table whose columns stand under each other in a terminal, which gives Japanese characters two columns each
 * (Unicode Standard Annex 11). Control characters come out as U+FFFD, because a terminal obeys them.
 *
 * A table that is too wide gets its widest texts cut. Figures are never cut: what is left of one is another one.
 *
 * @param rows as many cells each as there are columns
 */
export function terminalTable(
  rows: readonly (readonly string[])[],
  { headings, maxWidth = Infinity }: TableOptions = {},
): string[] {
  const body = rows.map((row) => row.map(withoutControls));
  const table = headings ? [headings, ...body] : body;
  const columns = (table[0] ?? []).map((_, index): Column => {
    const isText = body.some((row) => /\p{L}/u.test(row[index] ?? ''));
    return { width: Math.max(...table.map((row) => stringWidth(row[index] ?? ''))), isText };
  });
  const widths = fit(columns, maxWidth);
  const line = (row: readonly string[]): string =>
    widths
      .map((width, index) => fill(row[index] ?? '', width))
      .join(GAP)
      .trimEnd();
  const rule = headings ? [line(headings), widths.map((width) => '─'.repeat(width)).join(GAP)] : [];
  return [...rule, ...body.map(line)];
}

/** Takes from the widest texts until all columns fit. @returns widths */
function fit(columns: readonly Column[], maxWidth: number): number[] {
  const widths = columns.map(({ width }) => width);
  const gaps = GAP.length * (columns.length - 1);
  let surplus = widths.reduce((sum, width) => sum + width, gaps) - maxWidth;
  for (; surplus > 0; surplus -= 1) {
    const widest = Math.max(...widths.filter((_, index) => columns[index]?.isText));
    if (widest <= MIN_WIDTH) break;
    widths[widths.findLastIndex((width, index) => width === widest && columns[index]?.isText)] = widest - 1;
  }
  return widths;
}

/** Cuts or pads a text. */
function fill(text: string, width: number): string {
  let cut = text;
  if (stringWidth(text) > width) {
    cut = '';
    for (const { segment } of graphemes.segment(text)) {
      if (stringWidth(cut + segment + ELLIPSIS) > width) break;
      cut += segment;
    }
    cut += ELLIPSIS;
  }
  return cut + ' '.repeat(width - stringWidth(cut));
}

/** A text whose control characters no terminal obeys. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{fffd}');
}
