import { deflateSync } from 'node:zlib';
import type { PdfDictionary } from './pdf-object.js';

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
export function crossReferences(
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
