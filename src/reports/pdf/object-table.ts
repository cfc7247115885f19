import { deflateSync } from 'node:zlib';
import { ByteWriter } from './byte-writer.js';
import { crossReferences } from './cross-references.js';
import type { PdfDictionary, PdfObject } from './pdf-object.js';
import { writeValue } from './pdf-syntax.js';
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
