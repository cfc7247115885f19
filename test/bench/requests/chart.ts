import type { Bar, Section } from './section.js';

const WIDTH = 760;
const LABEL_WIDTH = 300;
const BAR_HEIGHT = 18;
const ROW_HEIGHT = 24;
const TITLE_HEIGHT = 36;
const MARGIN = 16;
/** Room for the figure behind the longest bar. */
const FIGURE_WIDTH = 80;
const OURS = '#0b6e4f';
const OTHERS = '#9aa5b1';

/** Bars of processor time a request, a group with a scale of its own for each section that has some. */
export function chartOf(sections: readonly Section[]): string | undefined {
  const groups = sections.flatMap(({ title, bars }) => (bars === undefined ? [] : [{ title, bars }]));
  if (groups.length === 0) return undefined;
  let top = MARGIN;
  const drawn = groups.map(({ title, bars }) => {
    const group = drawGroup(title, bars, top);
    top += TITLE_HEIGHT + bars.length * ROW_HEIGHT;
    return group;
  });
  const height = top + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`,
    ' role="img" aria-label="Processor time of each server in microseconds a request"',
    ' font-family="system-ui, sans-serif" font-size="13" fill="#1f2933">',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function drawGroup(title: string, bars: readonly Bar[], top: number): string {
  const scale = (WIDTH - LABEL_WIDTH - 2 * MARGIN - FIGURE_WIDTH) / Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ label, value, isOurs }, index) => {
    const y = top + TITLE_HEIGHT + index * ROW_HEIGHT;
    const width = Math.max(value * scale, 1).toFixed(1);
    const text = y + BAR_HEIGHT - 5;
    return [
      `<text x="${LABEL_WIDTH}" y="${text}" text-anchor="end">${plain(label)}</text>`,
      `<rect x="${LABEL_WIDTH + 8}" y="${y}" width="${width}" height="${BAR_HEIGHT}" fill="${isOurs ? OURS : OTHERS}"/>`,
      `<text x="${LABEL_WIDTH + 14 + Number(width)}" y="${text}">${value.toFixed(0)} µs</text>`,
    ].join('');
  });
  return [`<text x="${MARGIN}" y="${top + 22}" font-weight="600">${plain(title)}</text>`, ...rows].join('\n');
}

/** Without Markdown, and safe in XML. */
function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
