import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import type { PdfDictionary, PdfObject } from './pdf-object.js';

type Metric = 'xAdvance' | 'xOffset' | 'yOffset' | 'advanceWidth';

/** Font embedded in one file: only the encoded glyphs, with their Unicode values. */
export interface EmbeddedFont {
  readonly id: string;
  /** Unicode values by glyph number of the subset, for copying. The first use of a glyph decides. */
  readonly unicode: (readonly number[] | undefined)[];
  /** Widths by glyph number of the subset, in thousandths of an em. */
  readonly widths: (number | undefined)[];
  /** Glyphs of the font by their number in the subset; duplicates are possible. */
  readonly subset: { readonly glyphs: number[] };
  readonly font: Font;
  /** Returns glyph numbers as four hexadecimal digits, and their metrics in thousandths of an em. */
  encode(text: string): [glyphs: readonly string[], positions: readonly Readonly<Record<Metric, number>>[]];
  ref(): PdfObject;
}

/** Private members of pdfkit's document. */
interface Internals extends Omit<PDFKit.PDFDocument, 'font'> {
  readonly _root: { readonly data: PdfDictionary & { readonly Pages: PdfObject } };
  /** Information dictionary, from `end` on. */
  readonly _info?: PdfObject;
  readonly _font: EmbeddedFont;
  font(source: Font): unknown;
  /** Writes the metadata, after the information dictionary. */
  endMetadata(): void;
}

/**
 * Makes a document of pdfkit: its fonts, metadata, and catalogue. The gateway writes all other objects, and the cross
 * references: the document never completes by itself, as it waits for the objects that `nextNumber` numbers.
 *
 * @param write receives the bytes of the document in pieces: each object begins with a piece `12 0 obj`
 * @throws {Error} if this version of pdfkit lacks a private member
 */
export function pdfkitDocument(options: PDFKit.PDFDocumentOptions, write: (piece: Uint8Array) => void) {
  // As objects, pieces stay apart. pdfkit keeps every word that it has ever shaped; `Typesetter` keeps the latest.
  const own = { autoFirstPage: false, font: '', fontLayoutCache: false, objectMode: true };
  const document: object = new PDFDocument({ ...options, ...own });
  if (!hasInternals(document)) throw new Error('Reports use private members of pdfkit 0.20.2: install this version.');
  const writePieces = (): void => {
    for (;;) {
      const piece: unknown = document.read();
      if (!(piece instanceof Uint8Array)) return;
      write(piece);
    }
  };
  writePieces();
  escapeMetadata(document);
  return {
    catalogue: document._root.data,
    nextNumber: () => document.ref({}).id,
    /** Embeds a font. Call once per font. */
    font(font: Font): EmbeddedFont {
      document.font(font);
      return document._font;
    },
    /** Writes fonts, metadata and catalogue. @returns their entries of the trailer */
    end(): PdfDictionary {
      document.end();
      writePieces();
      return { Root: document._root, Info: document._info };
    },
  };
}

function hasInternals(document: object): document is Internals {
  const { _root: root, endMetadata }: { _root?: { data?: { Pages?: unknown } }; endMetadata?: unknown } = document;
  return typeof root?.data?.Pages === 'object' && typeof endMetadata === 'function';
}

/** Escapes values that pdfkit copies into XMP unescaped: a title with `&` or `<` would break the XML. */
function escapeMetadata(document: Internals): void {
  const write = document.endMetadata.bind(document);
  document.endMetadata = () => {
    // The information dictionary is written by now, correctly unescaped.
    for (const key of ['Title', 'Author', 'Keywords'] as const) {
      const value = document.info[key];
      if (value === undefined) continue;
      document.info[key] = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    }
    write();
  };
}
