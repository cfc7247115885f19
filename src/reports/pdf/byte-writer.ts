/** Holds the content of nearly every page, so that it is not copied as it grows. */
const INITIAL_SIZE = 24 * 1024;
/** Maximum characters of a written number, its sign, point and space included. */
const MAX_NUMBER_LENGTH = 24;
const [MINUS, POINT, ZERO, SPACE] = [0x2d, 0x2e, 0x30, 0x20] as const;

/**
 * Growing buffer of a file or of page content. It writes bytes directly: a page holds two thousand numbers, and strings
 * would be joined, copied and discarded.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_SIZE);
  #length = 0;

  /** Bytes so far; unchanged until `clear`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get size(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes operators, names or strings, one byte per character. */
  write(operators: string): void {
    this.#reserve(operators.length);
    const bytes = this.#bytes;
    let at = this.#length;
    // Most are a few characters long, for which a loop is faster than a native call.
    for (let index = 0; index < operators.length; index += 1) bytes[at++] = operators.charCodeAt(index);
    this.#length = at;
  }

  /** Writes a length in points and a space, in hundredths of a point: finer than any printer. */
  length(points: number): void {
    this.hundredths(Math.round(points * 100));
  }

  /** Writes a length in points and a space, in tenths of a point: still finer than the width of a line. */
  coarseLength(points: number): void {
    this.hundredths(Math.round(points * 10) * 10);
  }

  /**
   * Writes a length and a space.
   *
   * @param value an integer in hundredths of a point
   * @throws {RangeError} if it is not an integer, or exceeds any page
   */
  hundredths(value: number): void {
    this.#reserve(MAX_NUMBER_LENGTH);
    const bytes = this.#bytes;
    let at = this.#length;
    // 32-bit integers divide faster than fractions.
    let size = value | 0;
    if (size !== value) throw new RangeError(`A length of ${value} hundredths of a point cannot be drawn.`);
    if (size < 0) {
      bytes[at++] = MINUS;
      size = -size;
    }
    const whole = (size / 100) | 0;
    const fraction = size - whole * 100;
    if (whole >= 100) {
      if (whole >= 1000) at = this.#thousands((whole / 1000) | 0, at);
      bytes[at++] = ZERO + (((whole / 100) | 0) % 10);
    }
    if (whole >= 10) bytes[at++] = ZERO + (((whole / 10) | 0) % 10);
    if (whole > 0 || fraction === 0) bytes[at++] = ZERO + (whole % 10);
    if (fraction > 0) {
      const tenths = (fraction / 10) | 0;
      bytes[at++] = POINT;
      bytes[at++] = ZERO + tenths;
      if (fraction > tenths * 10) bytes[at++] = ZERO + fraction - tenths * 10;
    }
    bytes[at++] = SPACE;
    this.#length = at;
  }

  #thousands(value: number, from: number): number {
    let at = from;
    for (const digit of String(value)) this.#bytes[at++] = digit.charCodeAt(0);
    return at;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
