import type { ByteWriter } from '../pdf/byte-writer.js';
import type { SetText } from '../text/set-text.js';

/**
 * Text object of a content stream (ISO 32000-1, section 9.4): consecutive texts share one, and set font and position
 * only if they differ from the text before.
 */
export class TextObject {
  readonly #content: ByteWriter;
  #isOpen = false;
  #fontId = '';
  #size = 0;
  /** Start of the last text, in hundredths of a point. */
  #x = 0;
  #y = 0;

  constructor(content: ByteWriter) {
    this.#content = content;
  }

  /** Opens the text object if closed. */
  begin(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#x = 0;
    this.#y = 0;
    this.#content.write('BT ');
  }

  /** Closes the text object; call before painting anything but text. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#content.write('ET\n');
  }

  /** Shows a line in points from the left and from the bottom of the page. */
  show({ pieces, actualText }: SetText, left: number, baseline: number, size: number): void {
    if (actualText !== undefined) this.#content.write(`/Span<</ActualText<${utf16(actualText)}>>>BDC `);
    for (const { fontId, x, rise, operator } of pieces) {
      this.#setFont(fontId, size);
      this.#moveTo(Math.round(left * 100 + (x * size) / 10), Math.round(baseline * 100 + (rise * size) / 10));
      this.#content.write(operator);
    }
    if (actualText !== undefined) this.#content.write('EMC ');
  }

  #setFont(fontId: string, size: number): void {
    if (fontId === this.#fontId && size === this.#size) return;
    this.#fontId = fontId;
    this.#size = size;
    this.#content.write('/');
    this.#content.write(fontId);
    this.#content.write(' ');
    this.#content.length(size);
    this.#content.write('Tf ');
  }

  /** Moves relative to the rounded last position, so that rounding errors do not add up. */
  #moveTo(x: number, y: number): void {
    this.#content.hundredths(x - this.#x);
    this.#content.hundredths(y - this.#y);
    this.#content.write('Td ');
    this.#x = x;
    this.#y = y;
  }
}

/** Returns UTF-16 with byte order mark in hexadecimal: a text string (ISO 32000-1, section 7.9.2.2). */
function utf16(text: string): string {
  let hex = 'FEFF';
  for (let index = 0; index < text.length; index += 1) {
    hex += text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  }
  return hex;
}
