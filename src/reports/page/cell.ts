import type { FontWeight } from '../text/font-families.js';
import type { PdfObject } from '../pdf/pdf-object.js';
import { COLOURS, type Colour } from './theme.js';

/** One line of a cell, already fitted to its column. */
export interface CellLine {
  readonly text: string;
  readonly size: number;
}

/** What stands in a column of a row. Every cell has every property, which makes hundreds of them quick to read. */
export interface Cell {
  readonly lines: readonly CellLine[];
  readonly weight: FontWeight;
  readonly colour: Colour;
  /** Whether it names its row to a screen reader. */
  readonly isHeader: boolean;
  /** Where its row leads to. */
  readonly link: CellLink | undefined;
}

/** The cell of an address. */
export interface AddressCell {
  readonly cell: Cell;
  /** Whether something of the address is missing. */
  readonly isCut: boolean;
  /** Whether it has letters that no font has. */
  readonly usesStandIn: boolean;
}

/** A link to a page, with the words that a screen reader has for it. */
export interface CellLink {
  readonly page: PdfObject;
  readonly contents: string;
}

/** Size of figures in tables, in points, and of texts, which are longer. */
export const CELL_TEXT_SIZE = 8;
export const CELL_PROSE_SIZE = 7;

/** A cell of lines that are known to fit. */
export function cellOf(lines: readonly CellLine[]): Cell {
  return { lines, weight: 'regular', colour: COLOURS.ink, isHeader: false, link: undefined };
}

/** A cell with one line that is known to fit. */
export function plain(text: string): Cell {
  return cellOf([{ text, size: CELL_TEXT_SIZE }]);
}

/** A cell of words in lines that are known to fit. */
export function prose(lines: readonly string[]): Cell {
  return cellOf(lines.map((text) => ({ text, size: CELL_PROSE_SIZE })));
}

/** A cell of a row of totals. */
export function bold(text: string): Cell {
  return { ...plain(text), weight: 'bold', colour: COLOURS.navy };
}

/** A cell that warns: bold and dark, so that it is stronger in black and white too. */
export function warning(cell: Cell): Cell {
  return { ...cell, weight: 'bold', colour: COLOURS.red };
}

/** A cell with nothing in it. */
export const EMPTY_CELL: Cell = cellOf([]);
