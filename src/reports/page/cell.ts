import type { FontWeight } from '../text/font-families.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { COLOURS, type Colour } from './theme.js';

/** Line of a cell, already fitted to its column. */
export interface CellLine {
  readonly text: string;
  readonly size: number;
}

/** Content of a column in a row. Every cell has every property, so that hundreds of them are quick to read. */
export interface Cell {
  readonly lines: readonly CellLine[];
  readonly weight: FontWeight;
  readonly colour: Colour;
  /** True if it names its row to a screen reader. */
  readonly isHeader: boolean;
  /** Link of its row. */
  readonly link: CellLink | undefined;
}

/** Cell with an address. */
export interface AddressCell {
  readonly cell: Cell;
  /** True if a part of the address is missing. */
  readonly isCut: boolean;
  /** True if it has letters that no font has. */
  readonly usesStandIn: boolean;
}

/** Link to a page, with its words for screen readers. */
export interface CellLink {
  readonly page: PdfObject;
  readonly contents: string;
}

/** Size of figures in tables, in points, and of texts, which are longer. */
export const CELL_TEXT_SIZE = 8;
export const CELL_PROSE_SIZE = 7;

/** Makes a cell of fitting lines. */
export function cellOf(lines: readonly CellLine[]): Cell {
  return { lines, weight: 'regular', colour: COLOURS.ink, isHeader: false, link: undefined };
}

/** Makes a cell with one fitting line. */
export function plain(text: string): Cell {
  return cellOf([{ text, size: CELL_TEXT_SIZE }]);
}

/** Makes a cell of words in fitting lines. */
export function prose(lines: readonly string[]): Cell {
  return cellOf(lines.map((text) => ({ text, size: CELL_PROSE_SIZE })));
}

/** Makes a cell for a row of totals. */
export function bold(text: string): Cell {
  return { ...plain(text), weight: 'bold', colour: COLOURS.navy };
}

/** Makes a warning of a cell: bold and dark, to stand out in black and white too. */
export function warning(cell: Cell): Cell {
  return { ...cell, weight: 'bold', colour: COLOURS.red };
}

export const EMPTY_CELL: Cell = cellOf([]);
