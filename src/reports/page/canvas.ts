import { ByteWriter } from '../pdf/byte-writer.js';
import type { FontWeight } from '../text/font-families.js';
import type { SetText } from '../text/set-text.js';
import type { Typesetter } from '../text/typesetter.js';
import { COLOURS, PAGE, type Colour } from './theme.js';

/** Style of a text; sizes and widths are points. */
export interface TextStyle {
  readonly size: number;
  readonly weight?: FontWeight;
  readonly colour?: Colour;
  /** Alignment within `width`, which begins at x; left without a width. */
  readonly align?: 'left' | 'right' | 'centre';
  readonly width?: number;
}

interface Stroke {
  readonly width: number;
  readonly colour: Colour;
}

/** Lengths of a dash and of the gap behind it, and the length of this pattern that a line skips at its beginning. */
export type Dash = readonly [on: number, off: number, phase?: number];

/** Returns UTF-16 with byte order mark in hexadecimal: a text string (ISO 32000-1, section 7.9.2.2). */
function utf16(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex').toUpperCase();
}

/**
 * Drawing surface of a page or a form. Lengths are points, x from the left and y from the top; baselines for text.
 * Painting follows the order of the calls. Consecutive texts share a text object (ISO 32000-1, section 9.4), and a text
 * sets font and position only if they differ from the one before.
 */
export class Canvas {
  readonly #content = new ByteWriter();
  #fill: Colour | undefined;
  #stroke: Stroke | undefined;
  #hasOpenText = false;
  #fontId = '';
  #size = 0;
  /** Position in the open text object, in hundredths of a point. */
  #x = 0;
  #y = 0;

  constructor(readonly typesetter: Typesetter) {}

  /** Ends the content and returns its bytes (ISO 32000-1, section 7.8.2). */
  end(): Uint8Array {
    this.#endText();
    return this.#content.bytes;
  }

  raw(operators: string): void {
    this.#endText();
    this.#content.write(operators);
    this.#content.write('\n');
  }

  /** Writes one line; cleans it and chooses its fonts. */
  text(value: string, x: number, baseline: number, style: TextStyle): void {
    if (value === '') return;
    const { size, weight = 'regular', colour = COLOURS.ink, align = 'left', width = 0 } = style;
    const line = this.typesetter.set(value, weight);
    const spare = width - (line.width * size) / 1000;
    const left = align === 'left' ? x : align === 'right' ? x + spare : x + spare / 2;
    this.#beginText();
    this.#fillWith(colour);
    this.#show(line, left, PAGE.height - baseline, size);
  }

  #beginText(): void {
    if (this.#hasOpenText) return;
    this.#hasOpenText = true;
    this.#x = 0;
    this.#y = 0;
    this.#content.write('BT ');
  }

  /** Shows a line in points from the left and from the bottom of the page. */
  #show({ pieces, actualText }: SetText, left: number, baseline: number, size: number): void {
    if (actualText !== undefined) this.#content.write(`/Span<</ActualText<${utf16(actualText)}>>>BDC `);
    for (const { fontId, x, rise, operator } of pieces) {
      this.#setFont(fontId, size);
      this.#moveTo(Math.round(left * 100 + (x * size) / 10), Math.round(baseline * 100 + (rise * size) / 10));
      this.#content.write(operator);
    }
    if (actualText !== undefined) this.#content.write('EMC ');
  }

  #setFont(fontId: string, size: number): void {
    if (fontId === this.#fontId && size === this.#size) return;
    this.#fontId = fontId;
    this.#size = size;
    this.#content.write('/');
    this.#content.write(fontId);
    this.#content.write(' ');
    this.#content.length(size);
    this.#content.write('Tf ');
  }

  /** Moves relative to the rounded last position, so that rounding errors do not add up. */
  #moveTo(x: number, y: number): void {
    this.#content.hundredths(x - this.#x);
    this.#content.hundredths(y - this.#y);
    this.#content.write('Td ');
    this.#x = x;
    this.#y = y;
  }

  /** Closes the text object; call before painting anything but text. */
  #endText(): void {
    if (this.#hasOpenText) this.#content.write('ET\n');
    this.#hasOpenText = false;
  }

  fillRectangles(rectangles: readonly Rectangle[], colour: Colour): void {
    if (rectangles.length === 0) return;
    this.#endText();
    this.#fillWith(colour);
    for (const rectangle of rectangles) traceRectangle(this.#content, rectangle);
    this.#content.write('f\n');
  }

  strokeRectangle(rectangle: Rectangle, stroke: Stroke): void {
    this.#strokeWith(stroke);
    traceRectangle(this.#content, rectangle);
    this.#content.write('S\n');
  }

  line(from: Point, to: Point, stroke: Stroke, dash?: Dash): void {
    this.polylines([[from, to]], stroke, dash);
  }

  /** Paints all lines as one path, which is several times shorter than a path for each. */
  polylines(lines: readonly (readonly Point[])[], stroke: Stroke, dash?: Dash): void {
    if (lines.length === 0) return;
    this.#strokeWith(stroke);
    if (dash !== undefined) this.#content.write(`[${dash.slice(0, 2).join(' ')}] ${dash[2] ?? 0} d `);
    for (const points of lines) traceLine(this.#content, points);
    this.#content.write(dash === undefined ? 'S\n' : 'S [] 0 d\n');
  }

  /** Paints all polygons as one path; each is closed from its last point to its first. */
  fillPolygons(polygons: readonly (readonly Point[])[], colour: Colour): void {
    if (polygons.length === 0) return;
    this.#endText();
    this.#fillWith(colour);
    for (const points of polygons) {
      traceLine(this.#content, points);
      this.#content.write('h ');
    }
    this.#content.write('f\n');
  }

  roundedRectangle(rectangle: Rectangle, radius: number, fill: Colour, edge: Stroke): void {
    this.#strokeWith(edge);
    this.#fillWith(fill);
    traceRounded(this.#content, rectangle, radius);
    this.#content.write('B\n');
  }

  discs(centres: readonly Point[], diameter: number, fill: Colour, edge?: Stroke): void {
    if (centres.length === 0) return;
    this.#endText();
    this.#fillWith(fill);
    if (edge !== undefined) this.#strokeWith(edge);
    const radius = diameter / 2;
    const size = { width: diameter, height: diameter };
    for (const [x, y] of centres) traceRounded(this.#content, { x: x - radius, y: y - radius, ...size }, radius);
    this.#content.write(edge === undefined ? 'f\n' : 'B\n');
  }

  /** Runs `draw` with round joins and line ends. */
  rounded(draw: () => void): void {
    this.raw('1 J 1 j');
    draw();
    this.raw('0 J 0 j');
  }

  /** Sets the fill colour; keeps the text object open, since texts are filled. */
  #fillWith(colour: Colour): void {
    if (this.#fill === colour) return;
    this.#fill = colour;
    this.#content.write(colour);
    this.#content.write(' rg ');
  }

  /** Sets the stroke; ends the text object, since only paths are stroked. */
  #strokeWith(stroke: Stroke): void {
    this.#endText();
    if (this.#stroke?.width !== stroke.width) {
      this.#content.length(stroke.width);
      this.#content.write('w ');
    }
    if (this.#stroke?.colour !== stroke.colour) {
      this.#content.write(stroke.colour);
      this.#content.write(' RG ');
    }
    this.#stroke = stroke;
  }
}

/** Position in points from the left and from the top of the page. */
export type Point = readonly [x: number, y: number];

/** Rectangle in points from the left and from the top of the page. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the points of a line that passes so far to the right of and below a place. */
export function lineFrom(x: number, y: number, ...distances: readonly Point[]): readonly Point[] {
  return distances.map(([right, below]) => [x + right, y + below]);
}

/** Maximum number of points of an exact line; longer ones show measurements, for which tenths of a point are enough. */
const MAX_EXACT_POINTS = 4;

/** Traces lines from point to point (ISO 32000-1, section 8.5.2). */
function traceLine(content: ByteWriter, points: readonly Point[]): void {
  const parts = points.length > MAX_EXACT_POINTS ? 10 : 100;
  let operator = 'm ';
  for (const point of points) {
    tracePoint(content, point, parts);
    content.write(operator);
    operator = 'l ';
  }
}

function tracePoint(content: ByteWriter, point: Point, parts?: number): void {
  content.length(point[0], parts);
  content.length(PAGE.height - point[1], parts);
}

function traceRectangle(content: ByteWriter, { x, y, width, height }: Rectangle): void {
  tracePoint(content, [x, y + height]);
  content.length(width);
  content.length(height);
  content.write('re ');
}

/** Distance of a Bézier control point from the corner, for a quarter circle of radius 1. */
const CORNER = 0.4477;

/** Traces a closed rectangle with rounded corners; a square whose corners meet is a disc. */
function traceRounded(content: ByteWriter, { x, y, width, height }: Rectangle, radius: number): void {
  const near = radius * CORNER;
  const right = x + width;
  const bottom = y + height;
  const to = (operator: 'm ' | 'l ' | 'c ', ...points: readonly Point[]): void => {
    // The sides of a disc have zero length.
    if (operator === 'l ' && 2 * radius >= Math.min(width, height)) return;
    for (const point of points) tracePoint(content, point);
    content.write(operator);
  };
  to('m ', [x + radius, y]);
  to('l ', [right - radius, y]);
  to('c ', [right - near, y], [right, y + near], [right, y + radius]);
  to('l ', [right, bottom - radius]);
  to('c ', [right, bottom - near], [right - near, bottom], [right - radius, bottom]);
  to('l ', [x + radius, bottom]);
  to('c ', [x + near, bottom], [x, bottom - near], [x, bottom - radius]);
  to('l ', [x, y + radius]);
  to('c ', [x, y + near], [x + near, y], [x + radius, y]);
  content.write('h ');
}
