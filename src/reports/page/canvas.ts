import type { FontWeight } from '../text/font-library.js';
import type { SetText, Typesetter } from '../text/typesetter.js';
import { flip, format, formatHundredths } from './lengths.js';
import { Path, roundedPath, type Point } from './path.js';
import { COLOURS, PAGE, type Colour } from './theme.js';

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
  #stroke: Stroke | undefined;
  #fontId = '';
  #fontSize = 0;
  /** Where the open text object stands, in hundredths of a point; texts that follow each other share one. */
  #text: { x: number; y: number } | undefined;

  constructor(readonly typesetter: Typesetter) {}

  /** The content so far. */
  toString(): string {
    this.#endText();
    return this.#operators;
  }

  /** Adds operators as they are. */
  raw(operators: string): void {
    this.#endText();
    this.#operators += `${operators}\n`;
  }

  text(value: string, x: number, baseline: number, style: TextStyle): void {
    if (value === '') return;
    const { size, weight = 'regular', colour = COLOURS.ink, align = 'left', width = 0 } = style;
    const line = this.typesetter.set(value, weight);
    const room = width - (line.width * size) / 1000;
    const left = align === 'left' ? x : align === 'right' ? x + room : x + room / 2;
    if (this.#text === undefined) this.#operators += 'BT ';
    this.#text ??= { x: 0, y: 0 };
    this.#operators += this.#fillWith(colour);
    const { actualText } = line;
    if (actualText !== undefined) this.#operators += `/Span<</ActualText<${utf16(actualText)}>>>BDC `;
    this.#show(line, left, PAGE.height - baseline, size, this.#text);
    if (actualText !== undefined) this.#operators += 'EMC ';
  }

  fillRectangle(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.raw(`${this.#fillWith(colour)}${format(x)} ${flip(y + height)} ${format(width)} ${format(height)} re f`);
  }

  strokeRectangle(x: number, y: number, width: number, height: number, stroke: Stroke): void {
    const rectangle = `${format(x)} ${flip(y + height)} ${format(width)} ${format(height)} re`;
    this.raw(`${this.#strokeWith(stroke)}${rectangle} S`);
  }

  line(from: Point, to: Point, stroke: Stroke, dash?: readonly [on: number, off: number]): void {
    this.polyline(new Path([from, to]), stroke, dash);
  }

  polyline(path: Path, stroke: Stroke, dash?: readonly [on: number, off: number]): void {
    const line = `${this.#strokeWith(stroke)}${path.operators}S`;
    this.raw(dash === undefined ? line : `[${dash.join(' ')}] 0 d ${line} [] 0 d`);
  }

  fillPolygon(path: Path, colour: Colour): void {
    this.raw(`${this.#fillWith(colour)}${path.operators}h f`);
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
    const setUp = this.#fillWith(paint.fill) + this.#strokeWith(paint.stroke);
    this.raw(`${setUp}${roundedPath(x, y, width, height, radius)}h B`);
  }

  /** A round spot, much shorter to write than a circle. */
  dot([x, y]: Point, diameter: number, colour: Colour): void {
    const at = `${format(x)} ${flip(y)}`;
    this.raw(`${this.#strokeWith({ width: diameter, colour })}1 J ${at} m ${at} l S 0 J`);
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

  #show(line: SetText, left: number, baseline: number, size: number, at: { x: number; y: number }): void {
    for (const { fontId, x, rise, operator } of line.pieces) {
      if (fontId !== this.#fontId || size !== this.#fontSize) {
        this.#fontId = fontId;
        this.#fontSize = size;
        this.#operators += `/${fontId} ${format(size)} Tf `;
      }
      // Each step starts where the last one was rounded to, so that the rounding does not add up.
      const across = Math.round(left * 100 + (x * size) / 10);
      const up = Math.round(baseline * 100 + (rise * size) / 10);
      this.#operators += `${formatHundredths(across - at.x)} ${formatHundredths(up - at.y)} Td ${operator} `;
      at.x = across;
      at.y = up;
    }
  }

  #endText(): void {
    if (this.#text === undefined) return;
    this.#operators += 'ET\n';
    this.#text = undefined;
  }

  #fillWith(colour: Colour): string {
    if (this.#fill === colour) return '';
    this.#fill = colour;
    return `${colour} rg `;
  }

  #strokeWith(stroke: Stroke): string {
    const width = this.#stroke?.width === stroke.width ? '' : `${format(stroke.width)} w `;
    const colour = this.#stroke?.colour === stroke.colour ? '' : `${stroke.colour} RG `;
    this.#stroke = stroke;
    return width + colour;
  }
}

function utf16(text: string): string {
  let hex = 'FEFF';
  for (let index = 0; index < text.length; index += 1) {
    hex += text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  }
  return hex;
}
