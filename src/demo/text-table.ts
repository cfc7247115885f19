/** Characters that take two columns of a terminal (Unicode Standard Annex 11, "Wide" and "Fullwidth"). */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/;

/** Lines of a table whose columns stand under each other, Japanese text included. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...rows.map((row) => row[column] ?? '')].map(columnsOf)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)))
      .join('  ')
      .trimEnd();
  return [line(headings), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)];
}

function columnsOf(text: string): number {
  return [...new Intl.Segmenter().segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}
