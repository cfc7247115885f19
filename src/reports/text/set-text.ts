import { escaped } from '../pdf/pdf-object.js';

/** Line of text ready to show. Lengths are thousandths of an em. */
export interface SetText {
  readonly width: number;
  readonly pieces: readonly TextPiece[];
  /** The text itself, if copying the glyphs gives another text. */
  readonly actualText: string | undefined;
  /** True if a stand-in replaces a character that no font has. */
  readonly usesStandIn: boolean;
}

/** Glyphs of one font shown by one operator. */
export interface TextPiece {
  readonly fontId: string;
  readonly x: number;
  readonly rise: number;
  /** Operator with its operands and a space, one byte per character. */
  readonly operator: string;
  /** True if its glyphs have no text to copy. */
  readonly isSilent: boolean;
}

/** Glyphs of a literal string with the kerning between them, and the kerning before the next one. */
interface OpenPiece {
  readonly fontId: string;
  readonly x: number;
  readonly rise: number;
  shown: string;
  isKerned: boolean;
  kerning: number;
}

/** Collects glyphs into the fewest operators that their positions allow. */
export class Line {
  /** Text that copying the glyphs gives. */
  copied = '';
  usesStandIn = false;
  /** True if the text must be given explicitly although its characters are those of the glyphs. */
  isReordered = false;
  width = 0;
  #pieces: TextPiece[] = [];
  #open: OpenPiece | undefined;

  /** Adds a glyph, by its number in the file, at an offset from the current position. */
  show(fontId: string, glyph: number, xOffset: number, yOffset: number): void {
    this.#open ??= { fontId, x: this.width + xOffset, rise: yOffset, shown: '', isKerned: false, kerning: 0 };
    this.#kern(this.#open);
    // In a literal string, it takes half the space of hexadecimal digits.
    this.#open.shown += escaped(String.fromCharCode(glyph >> 8, glyph & 0xff));
  }

  /** Adds a word in the same font, none of whose glyphs is raised or moved. */
  append(word: Line): void {
    const next = word.#open;
    if (next === undefined) return;
    this.#open ??= { fontId: next.fontId, x: this.width, rise: 0, shown: '', isKerned: false, kerning: 0 };
    this.#kern(this.#open);
    this.#open.shown += next.shown;
    this.#open.isKerned ||= next.isKerned;
    this.#open.kerning = next.kerning;
    this.width += word.width;
    this.copied += word.copied;
  }

  /** Writes the kerning behind the last glyph. */
  #kern(open: OpenPiece): void {
    if (open.kerning === 0) return;
    open.shown += `)${open.kerning}(`;
    open.isKerned = true;
    open.kerning = 0;
  }

  /** Advances by the width of a glyph; the difference to the width in its font becomes kerning. */
  advance(xAdvance: number, nominal: number): void {
    this.width += xAdvance;
    if (this.#open !== undefined) this.#open.kerning = Math.round((nominal - xAdvance) * 100) / 100;
  }

  /** Inserts another, finished line at a position; visual order may differ from reading order. */
  place(part: Line, x: number): void {
    for (const piece of part.#pieces) this.#pieces.push({ ...piece, x: x + piece.x });
    this.copied += part.copied;
    this.usesStandIn ||= part.usesStandIn;
    this.isReordered ||= part.isReordered;
    this.width = Math.max(this.width, x + part.width);
  }

  /** Ends the open operator, without kerning after its last glyph. @param isSilent excludes it from copying */
  breakPiece(isSilent = false): void {
    if (this.#open === undefined) return;
    const { fontId, x, rise, shown, isKerned } = this.#open;
    this.#pieces.push({ fontId, x, rise, operator: isKerned ? `[(${shown})]TJ ` : `(${shown})Tj `, isSilent });
    this.#open = undefined;
  }

  /** Reverses the order of silent operators and of the parts between them: readers reverse other text themselves. */
  turnRound(): void {
    const parts: TextPiece[][] = [[]];
    for (const piece of this.#pieces) {
      if (piece.isSilent) parts.push([piece], []);
      else parts.at(-1)?.push(piece);
    }
    this.#pieces = parts.reverse().flat();
  }

  /** @param text that the glyphs represent */
  finish(text: string): SetText {
    this.breakPiece();
    const isCopied = this.copied === text && !this.isReordered;
    return {
      width: this.width,
      // Text given for the whole line covers silent glyphs, too: readers such as poppler know no spans within spans.
      pieces: isCopied ? this.#pieces.map(silenced) : this.#pieces,
      actualText: isCopied ? undefined : text,
      usesStandIn: this.usesStandIn,
    };
  }
}

function silenced(piece: TextPiece): TextPiece {
  return piece.isSilent ? { ...piece, operator: `/Span<</ActualText<FEFF>>>BDC ${piece.operator}EMC ` } : piece;
}
