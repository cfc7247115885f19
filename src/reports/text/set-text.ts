/** A line of text ready to be shown. Lengths are thousandths of an em. */
export interface SetText {
  readonly width: number;
  readonly pieces: readonly TextPiece[];
  /** The text itself, when what a reader would copy from the glyphs is something else. */
  readonly actualText: string | undefined;
  /** Whether something stands in for a character that no font has. */
  readonly usesStandIn: boolean;
}

/** Glyphs of one font that are shown by one operator. */
export interface TextPiece {
  readonly fontId: string;
  readonly x: number;
  readonly rise: number;
  /** The operator with its operands and a space; every character stands for one byte. */
  readonly operator: string;
}

/** Collects glyphs into as few operators as their positions allow. */
export class Line {
  /** What a reader would copy from the glyphs. */
  copied = '';
  usesStandIn = false;
  /** Whether a reader should be told the text although its characters are those of the glyphs. */
  isReordered = false;
  #width = 0;
  #pieces: TextPiece[] = [];
  #open: { fontId: string; x: number; rise: number; shown: string; isKerned: boolean; kerning: number } | undefined;

  /** Adds a glyph at an offset from where the line has come to. */
  show(fontId: string, glyph: string, xOffset: number, yOffset: number): void {
    this.#open ??= { fontId, x: this.#width + xOffset, rise: yOffset, shown: '', isKerned: false, kerning: 0 };
    if (this.#open.kerning !== 0) {
      this.#open.shown += `)${this.#open.kerning}(`;
      this.#open.isKerned = true;
      this.#open.kerning = 0;
    }
    this.#open.shown += literal(glyph);
  }

  /** Moves on by the width of a glyph; what its font did not foresee becomes kerning. */
  advance(xAdvance: number, nominal: number): void {
    this.#width += xAdvance;
    if (this.#open !== undefined) this.#open.kerning = Math.round((nominal - xAdvance) * 100) / 100;
  }

  /** Puts another line, which has ended, into this one; what is read next does not always stand next. */
  place(part: Line, x: number): void {
    for (const piece of part.#pieces) this.#pieces.push({ ...piece, x: x + piece.x });
    this.copied += part.copied;
    this.usesStandIn ||= part.usesStandIn;
    this.isReordered ||= part.isReordered;
    this.#width = Math.max(this.#width, x + part.#width);
  }

  /** How wide the line has become. */
  get width(): number {
    return this.#width;
  }

  /** Ends the open operator; kerning behind its last glyph would move nothing that is shown. */
  breakPiece(): void {
    if (this.#open === undefined) return;
    const { fontId, x, rise, shown, isKerned } = this.#open;
    this.#pieces.push({ fontId, x, rise, operator: isKerned ? `[(${shown})]TJ ` : `(${shown})Tj ` });
    this.#open = undefined;
  }

  /** How many operators there are. */
  get pieceCount(): number {
    return this.#pieces.length;
  }

  /** Lets nothing be copied of the last operator. */
  silenceLastPiece(): void {
    const piece = this.#pieces.pop();
    if (piece === undefined) return;
    this.#pieces.push({ ...piece, operator: `/Span<</ActualText<FEFF>>>BDC ${piece.operator}EMC ` });
  }

  /**
   * Shows parts of the line in the opposite order, each where it is: readers turn round what runs from right to left as
   * far as nothing interrupts it.
   *
   * @param starts operators with which a part begins; the first one has its own start
   */
  turnRound(starts: readonly number[]): void {
    const parts = [0, ...starts].map((start, index) => this.#pieces.slice(start, starts[index]));
    this.#pieces = parts.reverse().flat();
  }

  /** @param text what the glyphs stand for */
  finish(text: string): SetText {
    return {
      width: this.#width,
      pieces: this.#pieces,
      actualText: this.copied === text && !this.isReordered ? undefined : text,
      usesStandIn: this.usesStandIn,
    };
  }
}

/**
 * A glyph number in a literal string, one character a byte (ISO 32000-1, section 7.3.4.2): half as long as in
 * hexadecimal.
 */
export function literal(glyph: string): string {
  return literalByte(parseInt(glyph.slice(0, 2), 16)) + literalByte(parseInt(glyph.slice(2), 16));
}

function literalByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '\r') return '\\r';
  return character === '(' || character === ')' || character === '\\' ? `\\${character}` : character;
}
