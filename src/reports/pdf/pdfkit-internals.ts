import type { Font } from 'fontkit';
import type { PdfDictionary, PdfObject } from './pdf-object.js';

/** One font as it is embedded in one file: only the glyphs that were encoded, with their Unicode values. */
export interface EmbeddedFont {
  /** Name of the font in resource dictionaries. */
  readonly id: string;
  /** Unicode values by glyph number of the subset: what a reader copies. The first use of a glyph decides. */
  readonly unicode: (readonly number[] | undefined)[];
  /** Widths by glyph number of the subset, in thousandths of an em. */
  readonly widths: (number | undefined)[];
  /** The glyphs of the font by their number in the subset; the same one may be there more than once. */
  readonly subset: { readonly glyphs: number[] };
  readonly font: Font;
  encode(text: string): [glyphs: readonly string[], positions: readonly GlyphPosition[]];
  ref(): PdfObject;
}

/** Thousandths of an em. */
export interface GlyphPosition {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  readonly advanceWidth: number;
}

/** What pdfkit has and its types leave out. */
export interface PdfkitDocument {
  readonly _root: { readonly data: PdfDictionary & { readonly Pages: PdfObject } };
  readonly _info: unknown;
  readonly _id: Uint8Array;
  readonly _font: EmbeddedFont;
  info: PDFKit.DocumentInfo;
  font(source: Font): unknown;
  endMetadata(): void;
  /** Where the next byte goes in the file. */
  _offset: number;
  /** Where each object is, by its number less one; null until it is written. */
  readonly _offsets: (number | null)[];
  /** Writes cross references and trailer, when everything else is written. */
  _finalize(): void;
  /** Everything that is written goes through here; to a string a line break is added. */
  _write(data: Uint8Array | string): void;
  read(): Buffer | null;
  end(): void;
}

/**
 * The same document with what its types leave out.
 *
 * @throws {Error} when another version of pdfkit works in another way
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

/** Escapes what pdfkit 0.20 copies into XMP as it is: a title with `&` or `<` would break the XML. */
export function escapeMetadata(document: PdfkitDocument): void {
  const write = document.endMetadata.bind(document);
  document.endMetadata = () => {
    // The information dictionary has been written by now, unescaped as it must be.
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
