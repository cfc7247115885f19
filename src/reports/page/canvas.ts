import { PAGE, COLOURS, type Colour } from './theme.js';
import type { FontWeight } from '../text/font-library.js';
import type { Typesetter } from '../text/typesetter.js';

export type Point = readonly [x: number, y: number];

export interface TextStyle {
  readonly size: number;
  readonly weight?: FontWeight;
  readonly colour?: Colour;
  /** Where the text stands in `width`, which begins at x; left without a width. */
  readonly align?: 'left' | 'right' | 'centre';
  readonly width?: number;
}

export interface Stroke {
  readonly width: number;
  readonly colour: Colour;
}

/**
 * Writes the content of a page (ISO 32000-1, section 7.8.2). Lengths are points, x from the left and y from
 * the top; baselines for text. Everything is painted in the order of the calls.
 */
export class Canvas {
  #operators = '';
  #fill: Colour | undefined;
  #font = '';
  #stroke: Stroke | undefined;

  constructor(readonly typesetter: Typesetter) {}

  /** The content so far. */
  toString(): string {
    return this.#operators;
  }

  /** Adds operators as they are. */
  raw(operators: string): void {
    this.#operators += `${operators}\n`;
  }

  text(value: string, x: number, baseline: number, style: TextStyle): void {
    if (value === '') return;
    const { size, weight = 'regular', colour = COLOURS.ink, align = 'left', width = 0 } = style;
    const line = this.typesetter.set(value, weight);
    const room = width - (line.width * size) / 1000;
    const left = align === 'left' ? x : align === 'right' ? x + room : x + room / 2;
    let operators = '';
    let across = 0;
    let up = 0;
    for (const piece of line.pieces) {
      const font = `/${piece.fontId} ${format(size)} Tf `;
      if (font !== this.#font) operators += this.#font = font;
      const x = left + (piece.x * size) / 1000;
      const y = PAGE.height - baseline + (piece.rise * size) / 1000;
      operators += `${format(x - across)} ${format(y - up)} Td ${piece.operator} `;
      across = x;
      up = y;
    }
    this.#setFill(colour);
    const text = `BT ${operators}ET`;
    const { actualText } = line;
    this.raw(actualText === undefined ? text : `/Span<</ActualText<${utf16(actualText)}>>>BDC ${text} EMC`);
  }

  fillRectangle(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.#setFill(colour);
    this.raw(`${format(x)} ${flip(y + height)} ${format(width)} ${format(height)} re f`);
  }

  strokeRectangle(x: number, y: number, width: number, height: number, stroke: Stroke): void {
    this.#setStroke(stroke);
    this.raw(`${format(x)} ${flip(y + height)} ${format(width)} ${format(height)} re S`);
  }

  line(from: Point, to: Point, stroke: Stroke, dash?: readonly [on: number, off: number]): void {
    this.polyline([from, to], stroke, dash);
  }

  polyline(points: readonly Point[], stroke: Stroke, dash?: readonly [on: number, off: number]): void {
    this.#setStroke(stroke);
    if (dash !== undefined) this.raw(`[${dash.join(' ')}] 0 d`);
    this.raw(`${pathOf(points)}S`);
    if (dash !== undefined) this.raw('[] 0 d');
  }

  fillPolygon(points: readonly Point[], colour: Colour): void {
    this.#setFill(colour);
    this.raw(`${pathOf(points)}h f`);
  }

  /** A rectangle with rounded corners; a circle when the radius is half of both sides. */
  roundedRectangle(
    x: number,
    y: number,
    width: number,
    height: number,
    radius: number,
    paint: { readonly fill: Colour; readonly stroke: Stroke },
  ): void {
    this.#setFill(paint.fill);
    this.#setStroke(paint.stroke);
    this.raw(`${roundedPath(x, y, width, height, radius)}h B`);
  }

  /** A round spot, much shorter to write than a circle. */
  dot([x, y]: Point, diameter: number, colour: Colour): void {
    this.#setStroke({ width: diameter, colour });
    const at = `${format(x)} ${flip(y)}`;
    this.raw(`1 J ${at} m ${at} l S 0 J`);
  }

  circle(centre: Point, radius: number, paint: { readonly fill: Colour; readonly stroke: Stroke }): void {
    const side = 2 * radius;
    this.roundedRectangle(centre[0] - radius, centre[1] - radius, side, side, radius, paint);
  }

  /** Paints what `draw` paints with round joins and line ends. */
  rounded(draw: () => void): void {
    this.raw('1 J 1 j');
    draw();
    this.raw('0 J 0 j');
  }

  #setFill(colour: Colour): void {
    if (this.#fill === colour) return;
    this.#fill = colour;
    this.raw(`${colour} rg`);
  }

  #setStroke(stroke: Stroke): void {
    if (this.#stroke?.width !== stroke.width) this.raw(`${format(stroke.width)} w`);
    if (this.#stroke?.colour !== stroke.colour) this.raw(`${stroke.colour} RG`);
    this.#stroke = stroke;
  }
}

/** A length as a PDF number: hundredths of a point are finer than any printer. */
export function format(value: number): string {
  const hundredths = Math.round(value * 100);
  if (hundredths < 0) return `-${format(-value)}`;
  // Whole numbers become text several times faster than fractions, and a page holds a thousand lengths.
  const whole = Math.floor(hundredths / 100);
  return `${whole}${FRACTIONS[hundredths - whole * 100] ?? ''}`;
}

const FRACTIONS = Array.from({ length: 100 }, (_, hundredths) =>
  hundredths === 0 ? '' : (hundredths / 100).toFixed(2).replace(/^0|0$/g, ''),
);

/** The distance from the bottom, where PDF measures from. */
export function flip(y: number): string {
  return format(PAGE.height - y);
}

/** Long paths are rounded to tenths of a point, which is still finer than a line is wide. */
function pathOf(points: readonly Point[]): string {
  const digits = points.length > FEW_POINTS ? tenths : format;
  let path = '';
  let operator = 'm';
  for (const [x, y] of points) {
    path += `${digits(x)} ${digits(PAGE.height - y)} ${operator} `;
    operator = 'l';
  }
  return path;
}

function tenths(value: number): string {
  return format(Math.round(value * 10) / 10);
}

const FEW_POINTS = 4;

/** How far a Bézier control point lies from the corner for a quarter circle of radius 1. */
const CORNER = 0.4477;

function roundedPath(x: number, y: number, width: number, height: number, radius: number): string {
  const near = radius * CORNER;
  const right = x + width;
  const bottom = y + height;
  const curve = (...points: readonly Point[]): string =>
    `${points.map(([px, py]) => `${format(px)} ${flip(py)}`).join(' ')} c `;
  const to = ([px, py]: Point, operator: 'm' | 'l'): string => `${format(px)} ${flip(py)} ${operator} `;
  return (
    to([x + radius, y], 'm') +
    to([right - radius, y], 'l') +
    curve([right - near, y], [right, y + near], [right, y + radius]) +
    to([right, bottom - radius], 'l') +
    curve([right, bottom - near], [right - near, bottom], [right - radius, bottom]) +
    to([x + radius, bottom], 'l') +
    curve([x + near, bottom], [x, bottom - near], [x, bottom - radius]) +
    to([x, y + radius], 'l') +
    curve([x, y + near], [x + near, y], [x + radius, y])
  );
}

function utf16(text: string): string {
  let hex = 'FEFF';
  for (let index = 0; index < text.length; index += 1) {
    hex += text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  }
  return hex;
}
