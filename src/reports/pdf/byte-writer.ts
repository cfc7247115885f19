const INITIAL_SIZE = 8 * 1024;
/** No number that is written has more characters, its sign, point and space included. */
const MAX_NUMBER_LENGTH = 24;
const [MINUS, POINT, ZERO, SPACE] = [0x2d, 0x2e, 0x30, 0x20] as const;

/**
 * A file or the content of a page as it grows. It is written as bytes at once: a page holds two thousand numbers,
 * and as strings they would be put together, copied and thrown away again.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_SIZE);
  #length = 0;

  /** The bytes so far; they stay as they are until `clear`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** How many bytes there are. */
  get size(): number {
    return this.#length;
  }

  /** Begins again in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  /** Writes bytes as they are. */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes operators, names or strings; every character stands for one byte. */
  write(operators: string): void {
    this.#reserve(operators.length);
    const bytes = this.#bytes;
    let at = this.#length;
    // Most are a few characters long, for which a loop is faster than a call out of the language.
    for (let index = 0; index < operators.length; index += 1) bytes[at++] = operators.charCodeAt(index);
    this.#length = at;
  }

  /** Writes a length in points and a space; hundredths of a point are finer than any printer. */
  length(points: number): void {
    this.hundredths(Math.round(points * 100));
  }

  /** Writes a length in tenths of a point and a space, which is still finer than a line is wide. */
  coarseLength(points: number): void {
    this.hundredths(Math.round(points * 10) * 10);
  }

  /**
   * Writes a length and a space.
   *
   * @param value a whole number of hundredths of a point
   * @throws {RangeError} when it is none, or farther away than any page is long
   */
  hundredths(value: number): void {
    this.#reserve(MAX_NUMBER_LENGTH);
    const bytes = this.#bytes;
    let at = this.#length;
    // As 32-bit numbers, which are divided faster than those with a fraction.
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
