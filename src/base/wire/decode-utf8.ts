import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { yieldToEventLoop } from '../waits.js';

/** Bytes per decoding step: some 4 ms with three bytes per character. */
const PIECE_BYTES = 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Decodes UTF-8 with event loop yields, because decoding takes several times as long as parsing if text is not ASCII. A
 * byte order mark is dropped at the beginning and kept elsewhere (RFC 3629, section 6).
 *
 * @returns undefined if invalid
 */
export async function decodeUtf8(bytes: Uint8Array): Promise<string | undefined> {
  if (!isUtf8(bytes)) return undefined;
  // Keeps the beginning of a character that a piece splits for the next piece.
  const decoder = new StringDecoder('utf8');
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await yieldToEventLoop();
    text += decoder.write(bytes.subarray(start, start + PIECE_BYTES));
  }
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/** Decodes percent-encoded UTF-8 (RFC 3986, section 2.1); undefined if it is malformed. */
export function percentDecoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
