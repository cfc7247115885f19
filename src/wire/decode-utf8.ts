import { turn } from '../turn.js';

/** A mark at the beginning is none of the text; anywhere else it is a character like others (RFC 3629, section 6). */
const BEGINNING = new TextDecoder('utf-8', { fatal: true });
const GOING_ON = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes that are decoded at a time: some 4 ms where there are three to a character. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Decodes UTF-8, with turns for others in between: what is not ASCII takes several times as long as to parse it.
 *
 * @returns undefined when it is none
 */
export async function decodeUtf8(bytes: Uint8Array): Promise<string | undefined> {
  let text = '';
  for (let start = 0; start < bytes.length;) {
    if (start > 0) await turn();
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

/** Where a piece ends so that no character is divided; none has more than three bytes behind its first one. */
function endOfPiece(bytes: Uint8Array, start: number): number {
  const max = Math.min(start + PIECE_BYTES, bytes.length);
  const isWhole = (end: number): boolean => !isContinuation(bytes[end]);
  return [max, max - 1, max - 2, max - 3].find(isWhole) ?? max;
}

/** A byte within a character (RFC 3629, section 3); behind the last one there is none. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
