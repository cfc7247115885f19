import type { Font } from 'fontkit';
import type { PdfDictionary, PdfObject } from './pdf-object.js';

/** Font embedded in one file: only the encoded glyphs, with their Unicode values. */
export interface EmbeddedFont {
  /** Name of the font in resource dictionaries. */
  readonly id: string;
  /** Unicode values by glyph number of the subset, for copying. The first use of a glyph decides. */
  readonly unicode: (readonly number[] | undefined)[];
  /** Widths by glyph number of the subset, in thousandths of an em. */
  readonly widths: (number | undefined)[];
  /** Glyphs of the font by their number in the subset; duplicates are possible. */
  readonly subset: { readonly glyphs: number[] };
  readonly font: Font;
  encode(text: string): [glyphs: readonly string[], positions: readonly GlyphPosition[]];
  ref(): PdfObject;
}

/** Glyph metrics in thousandths of an em. */
export interface GlyphPosition {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  readonly advanceWidth: number;
}

/** Members of pdfkit's document that its types omit. */
export interface PdfkitDocument {
  readonly _root: { readonly data: PdfDictionary & { readonly Pages: PdfObject } };
  readonly _info: unknown;
  readonly _id: Uint8Array;
  readonly _font: EmbeddedFont;
  info: PDFKit.DocumentInfo;
  font(source: Font): unknown;
  endMetadata(): void;
  /** Offset of the next byte in the file. */
  _offset: number;
  /** Offset of each object by its number minus one; null until it is written. */
  readonly _offsets: (number | null)[];
  /** Writes cross references and trailer after everything else. */
  _finalize(): void;
  /** Writes all output; adds a line break to strings. */
  _write(data: Uint8Array | string): void;
  read(): Buffer | null;
  end(): void;
}

/**
 * Returns the document with the members that its types omit.
 *
 * @throws {Error} if another version of pdfkit has other internals
 */
export function internalsOf(document: object): PdfkitDocument {
  if (!hasInternals(document)) {
    throw new Error(
      'Reports are written with inner parts of pdfkit 0.20 that this version lacks; install pdfkit 0.20.',
    );
  }
  return document;
}

function hasInternals(document: object): document is PdfkitDocument {
  const parts: Partial<Record<keyof PdfkitDocument, unknown>> = document;
  const methods = [parts.font, parts.endMetadata, parts._write, parts._finalize, parts.read, parts.end];
  return (
    methods.every((method) => typeof method === 'function') &&
    typeof parts._offset === 'number' &&
    Array.isArray(parts._offsets) &&
    typeof parts._root === 'object' &&
    typeof parts.info === 'object'
  );
}

/** Escapes values that pdfkit 0.20 copies into XMP unescaped: a title with `&` or `<` would break the XML. */
export function escapeMetadata(document: PdfkitDocument): void {
  const write = document.endMetadata.bind(document);
  document.endMetadata = () => {
    // The information dictionary is written by now, correctly unescaped.
    for (const key of ['Title', 'Author', 'Keywords'] as const) {
      const value = document.info[key];
      if (value !== undefined) document.info[key] = escapeXml(value);
    }
    write();
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
