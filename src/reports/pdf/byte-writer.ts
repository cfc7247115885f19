/** Holds the content of nearly every page, so that it is not copied as it grows. */
const INITIAL_SIZE = 24 * 1024;
/** Texts of the points on a page, and of hundredths with the space behind them: a number costs no text of its own. */
const WHOLES = Array.from({ length: 1_000 }, (_, points) => String(points));
const FRACTIONS = Array.from({ length: 100 }, (_, hundredths) => `${hundredths / 100} `.slice(1));

/** Growing buffer of page content. A page holds two thousand numbers. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_SIZE);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes operators, names or strings, one byte per character. */
  write(operators: string): void {
    const length = this.#length + operators.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, length));
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    const bytes = this.#bytes;
    let at = this.#length;
    // Most are a few characters long, for which a loop is faster than a native call.
    for (let index = 0; index < operators.length; index += 1) bytes[at++] = operators.charCodeAt(index);
    this.#length = at;
  }

  /** Writes a length in points and a space. @param parts of a point to which it is rounded: 100 at most */
  length(points: number, parts = 100): void {
    this.hundredths(Math.round(points * parts) * (100 / parts));
  }

  /** Writes a length in hundredths of a point and a space. @throws {RangeError} if it is no integer, or off any page */
  hundredths(value: number): void {
    // 32-bit integers divide faster than fractions.
    const size = Math.abs(value | 0);
    if (size !== Math.abs(value)) throw new RangeError(`A length of ${value} hundredths of a point cannot be drawn.`);
    const whole = (size / 100) | 0;
    if (value < 0) this.write('-');
    if (whole > 0 || size === 0) this.write(WHOLES[whole] ?? String(whole));
    this.write(FRACTIONS[size - whole * 100] ?? '');
  }
}
