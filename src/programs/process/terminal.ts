import stringWidth from 'fast-string-width';

export interface TableOptions {
  readonly headings?: readonly string[];
  /** Limit of the width, in columns of the terminal; undefined: none. */
  readonly maxWidth?: number | undefined;
}

interface TerminalColumn {
  readonly width: number;
  readonly isText: boolean;
}

const COLUMN_GAP = '  ';
const ELLIPSIS = '…';
/** Width to which columns are narrowed at most. */
const MIN_WIDTH = 8;

const graphemes = new Intl.Segmenter();

/**
 * Formats a table with aligned columns for a terminal, in which a Japanese character has two columns (Unicode Standard
 * Annex 11). Control characters become U+FFFD, because a terminal would execute them. The widest texts are cut if the
 * table is too wide. Figures are never cut, because a part of one is another figure.
 */
export function terminalTable(
  rows: readonly (readonly string[])[],
  { headings, maxWidth = Infinity }: TableOptions = {},
): string[] {
  const body = rows.map((row) => row.map(withoutControls));
  const table = headings ? [headings, ...body] : body;
  const columns = (table[0] ?? []).map((_, index): TerminalColumn => {
    const isText = body.some((row) => /\p{L}/u.test(row[index] ?? ''));
    return { width: Math.max(...table.map((row) => stringWidth(row[index] ?? ''))), isText };
  });
  const widths = fit(columns, maxWidth);
  const line = (row: readonly string[]): string => {
    const cells = widths.map((width, index) => fill(row[index] ?? '', width));
    return cells.join(COLUMN_GAP).trimEnd();
  };
  const rule = headings ? [line(headings), widths.map((width) => '─'.repeat(width)).join(COLUMN_GAP)] : [];
  return [...rule, ...body.map(line)];
}

/** Narrows the widest text columns until all columns fit. @returns widths */
function fit(columns: readonly TerminalColumn[], maxWidth: number): number[] {
  const widths = columns.map(({ width }) => width);
  const gaps = COLUMN_GAP.length * (columns.length - 1);
  let excessWidth = widths.reduce((sum, width) => sum + width, gaps) - maxWidth;
  for (; excessWidth > 0; excessWidth -= 1) {
    const widest = Math.max(...widths.filter((_, index) => columns[index]?.isText));
    if (widest <= MIN_WIDTH) break;
    widths[widths.findLastIndex((width, index) => width === widest && columns[index]?.isText)] = widest - 1;
  }
  return widths;
}

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

function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{fffd}');
}

/**
 * Breaks a text into lines between words, and within a word that is longer than a line. Control characters become
 * U+FFFD, because a terminal would execute them.
 *
 * @param width columns of a terminal
 */
export function wrappedText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of withoutControls(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = piecesOf(word, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

function piecesOf(word: string, width: number): string[] {
  const pieces = [''];
  for (const { segment } of graphemes.segment(word)) {
    const last = pieces.at(-1) ?? '';
    if (last !== '' && stringWidth(last + segment) > width) pieces.push(segment);
    else pieces[pieces.length - 1] = last + segment;
  }
  return pieces;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Moves to the start of the line and erases it (ECMA-48: CR, EL). */
const ERASE_LINE = '\r\u001b[2K';

/** Characters that move the cursor, colour what follows or reorder it; line breaks and tabs stay. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Returns a text with unsafe characters as escapes of JSON, because stored texts may come from anybody. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Quotes a word for a POSIX shell, so that a command can be pasted. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Progress display: one changing line on a terminal, elsewhere a new line each time. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #maxWidth: number | undefined;
  #isShown = false;

  /** @param terminal value of `TERM`; `dumb` gets a new line each time */
  constructor(stream: ProgressStream, terminal = process.env['TERM']) {
    this.#stream = stream;
    // A line that fills the last column wraps to the next one and could not be erased.
    if (stream.isTTY === true && terminal !== 'dumb') this.#maxWidth = (stream.columns || Infinity) - 1;
  }

  show(shown: string): void {
    const line = visible(shown);
    if (this.#maxWidth === undefined) {
      this.#stream.write(`${line}\n`);
      return;
    }
    const [fitting = ''] = terminalTable([[line]], { maxWidth: this.#maxWidth });
    this.#stream.write(`${this.#isShown ? ERASE_LINE : ''}${fitting}`);
    this.#isShown = true;
  }

  /** Keeps the line shown; further output begins below it. */
  end(): void {
    if (this.#isShown) this.#stream.write('\n');
    this.#isShown = false;
  }
}
