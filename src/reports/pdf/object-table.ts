import { deflateSync } from 'node:zlib';
import { ByteWriter } from './byte-writer.js';
import type { PdfDictionary, PdfObject } from './pdf-object.js';
import type { PdfkitDocument } from './pdfkit-internals.js';

/** Objects compressed together; a reader that needs one reads them all. */
const OBJECTS_PER_STREAM = 200;
/** zlib's default level saves a fifth more than a faster one, and costs a tenth of the drawing time. */
const STRUCTURE_COMPRESSION = 6;

/**
 * Objects of a file, written as they end: those without a stream, compressed in groups, in object streams (ISO 32000-1,
 * section 7.5.7), where thousands of tags take a fifth of their size. It replaces the cross references of pdfkit, which
 * adds its own objects.
 */
export class ObjectTable {
  readonly #document: PdfkitDocument;
  readonly #output: ByteWriter;
  readonly #compress: boolean;
  /** By object number: its object stream, and its index there. */
  readonly #containers: number[] = [];
  readonly #places: number[] = [];
  #packed: number[] = [];
  readonly #heads = new ByteWriter();
  readonly #bodies = new ByteWriter();

  /** @param compress packs objects; otherwise they stay readable in the file */
  constructor(document: PdfkitDocument, output: ByteWriter, compress: boolean) {
    this.#document = document;
    this.#output = output;
    this.#compress = compress;
    if (compress) document._finalize = () => this.#writeCrossReferences();
  }

  /** Creates an object with the next number of the file. */
  object(data: PdfDictionary): PdfObject {
    return new IndirectObject(this, this.#document._offsets.push(null), data);
  }

  /** Writes an object in its final form. */
  write(number: number, data: PdfDictionary, stream: Uint8Array | undefined): void {
    if (stream === undefined && this.#compress) this.#pack(number, data);
    else if (stream === undefined || !this.#compress || 'Filter' in data) this.#place(number, data, stream);
    else this.#place(number, { ...data, Filter: 'FlateDecode' }, deflateSync(stream));
  }

  #pack(number: number, data: PdfDictionary): void {
    this.#places[number] = this.#packed.length;
    this.#packed.push(number);
    this.#heads.write(`${number} ${this.#bodies.size} `);
    writeValue(this.#bodies, data);
    this.#bodies.write('\n');
    if (this.#packed.length === OBJECTS_PER_STREAM) this.#endPacked();
  }

  #endPacked(): void {
    if (this.#packed.length === 0) return;
    const container = this.#document._offsets.push(null);
    for (const number of this.#packed) this.#containers[number] = container;
    const objects = Buffer.concat([this.#heads.bytes, this.#bodies.bytes]);
    const entries = { Type: 'ObjStm', N: this.#packed.length, First: this.#heads.size, Filter: 'FlateDecode' };
    this.#place(container, entries, deflateSync(objects, { level: STRUCTURE_COMPRESSION }));
    this.#packed = [];
    this.#heads.clear();
    this.#bodies.clear();
  }

  /** Writes an object at the current position of the file. */
  #place(number: number, data: PdfDictionary, stream: Uint8Array | undefined): void {
    const output = this.#output;
    const before = output.size;
    this.#document._offsets[number - 1] = this.#document._offset;
    output.write(`${number} 0 obj\n`);
    writeValue(output, stream === undefined ? data : { ...data, Length: stream.length });
    if (stream !== undefined) {
      output.write('\nstream\n');
      output.append(stream);
      output.write('\nendstream');
    }
    output.write('\nendobj\n');
    this.#document._offset += output.size - before;
  }

  /** Replaces those of pdfkit, which lack object streams (ISO 32000-1, section 7.5.8). */
  #writeCrossReferences(): void {
    this.#endPacked();
    const { _root, _info, _id, _offset: start, _offsets: offsets } = this.#document;
    const number = offsets.push(start);
    const table = crossReferences(offsets, this.#containers, this.#places);
    const trailer = { Root: _root, Info: _info, ID: [_id, _id] };
    this.#place(number, { Type: 'XRef', Size: number + 1, ...trailer, ...table.entries }, table.stream);
    this.#document._write(`startxref\n${start}\n%%EOF`);
  }
}

class IndirectObject implements PdfObject {
  /** Distinguishes it from a dictionary, also for pdfkit. */
  readonly [Symbol.toStringTag] = 'Reference';
  readonly #table: ObjectTable;
  readonly #number: number;

  constructor(
    table: ObjectTable,
    number: number,
    public data: PdfDictionary,
  ) {
    this.#table = table;
    this.#number = number;
  }

  end(stream?: Uint8Array): void {
    this.#table.write(this.#number, this.data, stream);
  }

  toString(): string {
    return `${this.#number} 0 R`;
  }
}

/** Bytes of an entry: its kind, an offset or the number of an object stream, and an index in that stream. */
const WIDTHS = [1, 4, 2] as const;
const ENTRY = WIDTHS[0] + WIDTHS[1] + WIDTHS[2];
/** PNG predictor: each row is written as its difference to the row above, since neighbours are similar. */
const UP = 2;
const FREE = { kind: 0, first: 0, second: 0xffff } as const;

/**
 * Returns the data of a cross-reference stream (ISO 32000-1, section 7.5.8) and the entries of its dictionary.
 *
 * @param offsets by object number minus one: offset in the file, null for an object in an object stream
 * @param containers by object number: its object stream
 * @param places by object number: its index in that stream
 */
function crossReferences(
  offsets: readonly (number | null)[],
  containers: readonly (number | undefined)[],
  places: readonly (number | undefined)[],
): { readonly entries: PdfDictionary; readonly stream: Uint8Array } {
  const rows = Buffer.alloc((offsets.length + 1) * (ENTRY + 1));
  let above = new Uint8Array(ENTRY);
  [FREE, ...offsets.map((offset, index) => entryOf(offset, containers[index + 1], places[index + 1]))].forEach(
    ({ kind, first, second }, row) => {
      const entry = Buffer.alloc(ENTRY);
      entry.writeUInt8(kind, 0);
      entry.writeUInt32BE(first, WIDTHS[0]);
      entry.writeUInt16BE(second, WIDTHS[0] + WIDTHS[1]);
      const at = row * (ENTRY + 1);
      rows[at] = UP;
      entry.forEach((byte, column) => (rows[at + 1 + column] = byte - (above[column] ?? 0)));
      above = entry;
    },
  );
  const parameters = { Predictor: 10 + UP, Columns: ENTRY };
  return { entries: { W: WIDTHS, Filter: 'FlateDecode', DecodeParms: parameters }, stream: deflateSync(rows) };
}

function entryOf(
  offset: number | null,
  container = 0,
  place = 0,
): { readonly kind: number; readonly first: number; readonly second: number } {
  if (container !== 0) return { kind: 2, first: container, second: place };
  return offset === null ? FREE : { kind: 1, first: offset, second: 0 };
}

const ESCAPES: Readonly<Record<string, string>> = { '\r': '\\r', '(': '\\(', ')': '\\)', '\\': '\\\\' };

/**
 * Writes a value in PDF syntax (ISO 32000-1, section 7.3): strings as names, `String` objects as texts, bytes as byte
 * strings, lists and plain objects as arrays and dictionaries, other values, such as references, by their `toString`.
 */
function writeValue(out: ByteWriter, value: unknown): void {
  if (typeof value === 'string') {
    out.write('/');
    out.write(value);
  } else if (typeof value === 'number') {
    // The format has no exponents.
    out.write(String(Math.round(value * 1e6) / 1e6));
  } else if (value instanceof String) {
    writeText(out, value.valueOf());
  } else if (value instanceof Uint8Array) {
    out.write(`<${Buffer.from(value).toString('hex')}>`);
  } else if (Array.isArray(value)) {
    out.write('[');
    value.forEach((each, index) => {
      if (index > 0) out.write(' ');
      writeValue(out, each ?? null);
    });
    out.write(']');
  } else if (isPlainObject(value)) {
    out.write('<<');
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue;
      out.write('/');
      out.write(key);
      out.write(' ');
      writeValue(out, each);
      out.write(' ');
    }
    out.write('>>');
  } else {
    out.write(String(value));
  }
}

/**
 * Writes ASCII as bytes of PDFDocEncoding, other text as UTF-16 with byte order mark (ISO 32000-1, section 7.9.2.2).
 */
function writeText(out: ByteWriter, text: string): void {
  const bytes = /^[\0-\x7f]*$/.test(text) ? text : `\ufeff${text}`.replace(/[^]/g, asTwoBytes);
  out.write('(');
  out.write(bytes.replace(/[\r()\\]/g, (character) => ESCAPES[character] ?? character));
  out.write(')');
}

function asTwoBytes(unit: string): string {
  const code = unit.charCodeAt(0);
  return String.fromCharCode(code >> 8, code & 0xff);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
