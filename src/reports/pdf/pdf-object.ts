import type { ZlibOptions } from 'node:zlib';

/** Dictionary entries by PDF name. Plain strings become names; `textString` makes texts. */
export type PdfDictionary = Record<string, unknown>;

/** Indirect object. References to it are valid at once. */
export interface PdfObject {
  data: PdfDictionary;
  /** Writes the object in its final form and forgets its data. @param compression of a stream that has no filter yet */
  end(stream?: Uint8Array, compression?: ZlibOptions): void;
}

export interface PdfWriter {
  /** Creates an indirect object; end it before the file. */
  object(data: PdfDictionary): PdfObject;
  readonly catalogue: PdfDictionary;
}

/** Escapes the characters of a literal string, one per byte (ISO 32000-1, section 7.3.4.2). */
export function escaped(bytes: string): string {
  return bytes.replace(/[\r()\\]/g, (character) => (character === '\r' ? '\\r' : `\\${character}`));
}

/** Makes a text string object, as opposed to a name. */
export function textString(text: string): unknown {
  return Object(text);
}
