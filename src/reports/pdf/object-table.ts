import { deflateSync, type ZlibOptions } from 'node:zlib';
import { escaped, type PdfDictionary, type PdfObject } from './pdf-object.js';

/** Number of objects compressed together; a reader that needs one of them decompresses all. */
const OBJECTS_PER_STREAM = 200;

/** Size in bytes of the chunks of a file: sending one costs little beside drawing it, and memory stays flat. */
const CHUNK_SIZE = 256 * 1024;

/** Beginning of an object in the bytes of pdfkit. */
const OBJECT_HEAD = /^(\d+) 0 obj\n$/;
const MAX_HEAD_LENGTH = 24;

/** Bytes of an entry: its kind, an offset or the number of an object stream, and an index in that stream. */
const WIDTHS = [1, 4, 2] as const;
const ENTRY = WIDTHS[0] + WIDTHS[1] + WIDTHS[2];
/** PNG predictor: each row is written as its difference to the row above, since neighbours are similar. */
const UP = 2;
/** Kinds of entries; object 0 is the only free one. */
const [FREE, PLAIN, IN_STREAM] = [0, 1, 2] as const;
const MAX_GENERATION = 0xffff;

/**
 * Objects of a file, written when they end. Those without a stream are compressed in groups, in object streams
 * (ISO 32000-1, section 7.5.7): thousands of tags take a fifth of the space.
 */
export class ObjectTable {
  readonly #nextNumber: () => number;
  /** Pieces of the file that are not taken, the position behind them, and their size. */
  #pieces: Uint8Array[] = [];
  #position = 0;
  #untaken = 0;
  readonly #compress: boolean;
  /** Cross references in the form of the file, by object number. */
  #entries = Buffer.alloc(ENTRY);
  #packed: number[] = [];
  #heads = '';
  #bodies = '';

  /** @param compress packs objects; otherwise they stay readable in the file */
  constructor(nextNumber: () => number, compress: boolean) {
    this.#nextNumber = nextNumber;
    this.#compress = compress;
    this.#refer(0, FREE, 0, MAX_GENERATION);
  }

  /** Creates an object with the next number of the file. */
  object(data: PdfDictionary): PdfObject {
    return new IndirectObject(this, this.#nextNumber(), data);
  }

  write(number: number, data: PdfDictionary, stream?: Uint8Array, compression?: ZlibOptions): void {
    if (stream === undefined && this.#compress) this.#pack(number, data);
    else if (stream === undefined || !this.#compress || 'Filter' in data) this.#place(number, data, stream);
    else this.#place(number, { ...data, Filter: 'FlateDecode' }, deflateSync(stream, compression));
  }

  /** Writes a piece of the document that pdfkit makes, and notes where its objects begin. */
  append(piece: Uint8Array): void {
    const [, number] = piece.length > MAX_HEAD_LENGTH ? [] : (OBJECT_HEAD.exec(Buffer.from(piece).toString()) ?? []);
    if (number !== undefined) this.#refer(Number(number), PLAIN, this.#position);
    this.#put(piece);
  }

  /** Takes the bytes so far in chunks that own their memory. @param least size of a chunk in bytes */
  *chunks(least = CHUNK_SIZE): Generator<Uint8Array> {
    if (this.#untaken < least) return;
    const bytes = Buffer.concat(this.#pieces);
    let from = 0;
    for (; bytes.length - from >= least; from += CHUNK_SIZE)
      yield new Uint8Array(bytes.subarray(from, from + CHUNK_SIZE));
    this.#pieces = [bytes.subarray(from)];
    this.#untaken = Math.max(0, bytes.length - from);
  }

  #put(piece: Uint8Array | string): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
    this.#pieces.push(bytes);
    this.#position += bytes.length;
    this.#untaken += bytes.length;
  }

  #pack(number: number, data: PdfDictionary): void {
    this.#packed.push(number);
    this.#heads += `${number} ${this.#bodies.length} `;
    this.#bodies += `${valueText(data)}\n`;
    if (this.#packed.length === OBJECTS_PER_STREAM) this.#endPacked();
  }

  #endPacked(): void {
    if (this.#packed.length === 0) return;
    const container = this.#nextNumber();
    this.#packed.forEach((number, place) => this.#refer(number, IN_STREAM, container, place));
    const objects = Buffer.from(this.#heads + this.#bodies, 'latin1');
    const entries = { Type: 'ObjStm', N: this.#packed.length, First: this.#heads.length, Filter: 'FlateDecode' };
    this.#place(container, entries, deflateSync(objects));
    this.#packed = [];
    this.#heads = this.#bodies = '';
  }

  /** Writes an object at the current position of the file. */
  #place(number: number, data: PdfDictionary, stream: Uint8Array | undefined): void {
    this.#refer(number, PLAIN, this.#position);
    const head = `${number} 0 obj\n`;
    if (stream === undefined) this.#put(`${head}${valueText(data)}\nendobj\n`);
    else {
      this.#put(`${head}${valueText({ ...data, Length: stream.length })}\nstream\n`);
      this.#put(stream);
      this.#put('\nendstream\nendobj\n');
    }
  }

  /** Writes cross references (ISO 32000-1, section 7.5.8) and trailer. @throws {Error} if an object was not written */
  end(trailer: PdfDictionary): void {
    this.#endPacked();
    const number = this.#nextNumber();
    const start = this.#position;
    this.#refer(number, PLAIN, start);
    const entries = { W: WIDTHS, Filter: 'FlateDecode', DecodeParms: { Predictor: 10 + UP, Columns: ENTRY } };
    const table = deflateSync(this.#crossReferences(number));
    this.#place(number, { Type: 'XRef', Size: number + 1, ...trailer, ...entries }, table);
    this.#put(`startxref\n${start}\n%%EOF\n`);
  }

  /** Notes where an object is: at an offset of the file, or in an object stream at a place. */
  #refer(number: number, kind: number, where: number, place = 0): void {
    const at = number * ENTRY;
    if (at >= this.#entries.length) this.#entries = Buffer.concat([this.#entries, Buffer.alloc(at + ENTRY)]);
    this.#entries.writeUInt8(kind, at);
    this.#entries.writeUInt32BE(where, at + WIDTHS[0]);
    this.#entries.writeUInt16BE(place, at + WIDTHS[0] + WIDTHS[1]);
  }

  #crossReferences(last: number): Uint8Array {
    const entries = this.#entries;
    const rows = Buffer.alloc((last + 1) * (ENTRY + 1));
    for (let number = 0; number <= last; number += 1) {
      const from = number * ENTRY;
      if (entries[from] === FREE && number > 0) {
        throw new Error(`Object ${number} of the report was numbered and never written.`);
      }
      const to = rows.writeUInt8(UP, number * (ENTRY + 1));
      for (let at = 0; at < ENTRY; at += 1)
        rows[to + at] = (entries[from + at] ?? 0) - (entries[from + at - ENTRY] ?? 0);
    }
    return rows;
  }
}

/** Data of every written object: a file keeps an object for each page. */
const WRITTEN: PdfDictionary = Object.freeze({});

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

  end(stream?: Uint8Array, compression?: ZlibOptions): void {
    this.#table.write(this.#number, this.data, stream, compression);
    this.data = WRITTEN;
  }

  toString(): string {
    return `${this.#number} 0 R`;
  }
}

/**
 * Returns a value in PDF syntax (ISO 32000-1, section 7.3): strings as names, `String` objects as texts, bytes as byte
 * strings, lists and plain objects as arrays and dictionaries, other values, such as references, by their `toString`.
 */
function valueText(value: unknown): string {
  if (typeof value === 'string') return `/${value}`;
  // The format has no exponents.
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6);
  if (value instanceof String) return `(${escaped(bytesOfText(value.valueOf()))})`;
  if (value instanceof Uint8Array) return `<${Buffer.from(value).toString('hex')}>`;
  if (Array.isArray(value)) return `[${value.map((each) => valueText(each ?? null)).join(' ')}]`;
  if (!isPlainObject(value)) return String(value);
  let entries = '';
  for (const [key, each] of Object.entries(value)) if (each !== undefined) entries += `/${key} ${valueText(each)} `;
  return `<<${entries}>>`;
}

/** Returns ASCII in PDFDocEncoding, other text in UTF-16 with byte order mark (ISO 32000-1, section 7.9.2.2). */
function bytesOfText(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1');
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
