/** A dictionary entry by its PDF name. Plain strings become names; texts are made with `textString`. */
export type PdfDictionary = Record<string, unknown>;

/** An indirect object. It may be referred to at once and is written, for good, by `end`. */
export interface PdfObject {
  data: PdfDictionary;
  end(stream?: Uint8Array): void;
}

/** A file that takes objects. */
export interface PdfWriter {
  /** A new indirect object; it must be ended before the file is. */
  object(data: PdfDictionary): PdfObject;
  /** Writes the content stream of a page or a form into an object. */
  endContent(object: PdfObject, operators: Uint8Array): void;
  /** Entries of the document catalogue. */
  readonly catalogue: PdfDictionary;
}

/** A text string object, as opposed to a name. */
export function textString(text: string): unknown {
  return Object(text);
}
