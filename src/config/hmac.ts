import { createHmac, hash } from 'node:crypto';

/** Bytes that SHA-256 takes at a time. */
const BLOCK = 64;
const DIGEST = 32;

/** Longest text, in bytes, that is signed in a buffer of its own. */
const SHORT = 1_024;

/** UTF-8 takes no more for a unit of UTF-16. */
const MAX_BYTES_A_UNIT = 3;

const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * HMAC-SHA-256 (RFC 2104, section 2) of short texts under one key. Two calls of `hash` make nothing that has to be
 * collected, as `createHmac` does. Longer texts are left to that.
 */
export class Hmac {
  readonly #key: Uint8Array;
  /** The key, padded, and room for a text. */
  readonly #inner = Buffer.alloc(BLOCK + SHORT, INNER_PAD);
  /** The key, padded, and room for a digest. */
  readonly #outer = Buffer.alloc(BLOCK + DIGEST, OUTER_PAD);

  /** @param key at most 64 bytes @throws {RangeError} it is longer */
  constructor(key: Uint8Array) {
    if (key.length > BLOCK) throw new RangeError(`A key of ${key.length} bytes is longer than a block of SHA-256.`);
    this.#key = key;
    key.forEach((byte, index) => {
      this.#inner[index] = byte ^ INNER_PAD;
      this.#outer[index] = byte ^ OUTER_PAD;
    });
  }

  /** Of a text in UTF-8, in base64url. */
  of(text: string): string {
    if (text.length * MAX_BYTES_A_UNIT > SHORT) {
      return createHmac('sha256', this.#key).update(text).digest('base64url');
    }
    const length = this.#inner.write(text, BLOCK);
    this.#outer.set(hash('sha256', this.#inner.subarray(0, BLOCK + length), 'buffer'), BLOCK);
    return hash('sha256', this.#outer, 'base64url');
  }
}
