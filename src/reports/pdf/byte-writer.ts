/** Holds the content of nearly every page, so that it is not copied as it grows. */
const INITIAL_SIZE = 24 * 1024;
/** Maximum characters of a written number, its sign, point and space included. */
const MAX_NUMBER_LENGTH = 24;
const [MINUS, POINT, ZERO, SPACE] = [0x2d, 0x2e, 0x30, 0x20] as const;

/** Growing buffer of a file or of page content. A page holds two thousand numbers, written by digits. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_SIZE);
  #length = 0;

  /** Bytes so far; unchanged until `drop`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get size(): number {
    return this.#length;
  }

  /** Removes bytes from the beginning. */
  drop(count = this.#length): void {
    this.#bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
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

  /** Writes a length in points and a space. @param parts of a point to which it is rounded: 100 at most */
  length(points: number, parts = 100): void {
    this.hundredths(Math.round(points * parts) * (100 / parts));
  }

  /** Writes a length in hundredths of a point and a space. @throws {RangeError} if it is no integer, or off any page */
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
