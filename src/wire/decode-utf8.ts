import { yieldToEventLoop } from '../waits.js';

/** A byte order mark is dropped at the beginning and kept elsewhere (RFC 3629, section 6). */
const BEGINNING = new TextDecoder('utf-8', { fatal: true });
const GOING_ON = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes per decoding step: some 4 ms with three bytes per character. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Decodes UTF-8 with event loop yields, because decoding takes several times as long as parsing if text is not ASCII.
 *
 * @returns undefined if invalid
 */
export async function decodeUtf8(bytes: Uint8Array): Promise<string | undefined> {
  let text = '';
  for (let start = 0; start < bytes.length;) {
    if (start > 0) await yieldToEventLoop();
    const end = endOfPiece(bytes, start);
    try {
      text += (start === 0 ? BEGINNING : GOING_ON).decode(bytes.subarray(start, end));
    } catch {
      return undefined;
    }
    start = end;
  }
  return text;
}

/** Returns the end of a piece without splitting a character, which has at most three bytes after its first. */
function endOfPiece(bytes: Uint8Array, start: number): number {
  const max = Math.min(start + PIECE_BYTES, bytes.length);
  const isWhole = (end: number): boolean => !isContinuation(bytes[end]);
  return [max, max - 1, max - 2, max - 3].find(isWhole) ?? max;
}

/** Returns true for a byte within a character (RFC 3629, section 3); false after the last byte. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
