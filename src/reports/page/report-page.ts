import { type PdfDictionary, type PdfObject, type PdfWriter, textString } from '../pdf/pdf-object.js';
import { spokenLines, type StructureElement, type StructureTree } from '../pdf/structure.js';
import { fitLine } from '../text/fit-text.js';
import type { Canvas, TextStyle } from './canvas.js';
import { COLOURS } from './theme.js';

export const HEADING_SIZE = 10;

export interface PageContext {
  /** Undefined in a report without tags. */
  readonly structure: StructureTree | undefined;
  /** Draws content shared by many pages once per key; returns the operator that shows it. */
  artwork(key: string, draw: (canvas: Canvas) => void): string;
  readonly file: PdfWriter;
}

/** Page in progress: its content, and the structure element of each part. */
export class ReportPage {
  readonly leaves: PdfObject[] = [];
  readonly annotations: PdfObject[] = [];
  readonly #annotationOf = new Map<PdfObject, PdfObject>();
  readonly #context: PageContext;

  /** @param section structure element of the texts of the page; undefined in a report without tags */
  constructor(
    readonly canvas: Canvas,
    context: PageContext,
    readonly section: StructureElement | undefined,
  ) {
    this.#context = context;
  }

  /** Draws content that is a new element of `parent`. @param name for references. @returns the element, if tagged */
  content(
    type: string,
    parent: StructureElement | undefined,
    draw: () => void,
    entries: PdfDictionary = {},
    name?: string,
  ): PdfObject | undefined {
    if (parent === undefined) {
      draw();
      return undefined;
    }
    this.canvas.raw(`/${type}<</MCID ${this.leaves.length}>>BDC`);
    const leaf = parent.leaf(type, entries, name);
    this.leaves.push(leaf);
    draw();
    this.canvas.raw('EMC');
    return leaf;
  }

  /** Draws text as an element of its own. Text that is too long for `width` is made smaller, then cut. */
  paragraph(
    value: string,
    x: number,
    baseline: number,
    style: TextStyle & { readonly width: number },
    type: 'H1' | 'H2' | 'P' = 'P',
  ): void {
    const { text, size } = fitLine(this.canvas.typesetter, value, style.weight ?? 'regular', style.size, style.width);
    const tags = this.section === undefined ? undefined : spokenLines([text]);
    this.content(type, this.section, () => this.canvas.text(text, x, baseline, { ...style, size }), tags);
  }

  /** Draws a figure. @param alternative returns its words for screen readers */
  figure(draw: () => void, alternative: () => string): void {
    this.content('Figure', this.section, draw, this.section && { Alt: textString(alternative()) });
  }

  heading(text: string, x: number, baseline: number, width: number): void {
    this.paragraph(text, x, baseline, { size: HEADING_SIZE, weight: 'bold', colour: COLOURS.navy, width }, 'H2');
  }

  lines(
    lines: readonly string[],
    { x, baseline, lineHeight }: { readonly x: number; readonly baseline: number; readonly lineHeight: number },
    style: TextStyle,
  ): void {
    const draw = (): void =>
      lines.forEach((line, index) => this.canvas.text(line, x, baseline + index * lineHeight, style));
    this.content('P', this.section, draw, this.section === undefined ? undefined : spokenLines(lines));
  }

  /** Draws content with a link, in an element of its own inside `parent` (ISO 32000-1, section 14.8.4.4.2). */
  link(parent: StructureElement | undefined, draw: () => void, entries: PdfDictionary): void {
    const annotation = this.#context.file.object({ Type: 'Annot', Subtype: 'Link', Border: [0, 0, 0], ...entries });
    this.annotations.push(annotation);
    const element = this.content('Link', parent, draw);
    if (element === undefined) return;
    this.#annotationOf.set(element, annotation);
    Object.assign(annotation.data, this.#context.structure?.registerAnnotation(element));
  }

  /** Draws decoration or repetition, which a screen reader skips. */
  decoration(draw: () => void): void {
    const isTagged = this.#context.structure !== undefined;
    if (isTagged) this.canvas.raw('/Artifact BMC');
    draw();
    if (isTagged) this.canvas.raw('EMC');
  }

  /** Shows decoration common to many pages, which is stored once. @param top distance by which it is moved down */
  artwork(key: string, draw: (canvas: Canvas) => void, top = 0): void {
    const show = this.#context.artwork(key, draw);
    const moved = top === 0 ? show : `q 1 0 0 1 0 ${Math.round(-top * 100) / 100} cm ${show} Q`;
    this.decoration(() => this.canvas.raw(moved));
  }

  /**
   * Draws content common to many pages, from `top` downwards. In a tagged report it belongs to the section and is
   * written on every page; otherwise it is stored once, as `artwork` is, and must not contain artwork itself.
   */
  fixture(key: string, draw: (page: ReportPage, top: number) => void, top = 0): void {
    if (this.section !== undefined) draw(this, top);
    else this.artwork(key, (canvas) => draw(new ReportPage(canvas, this.#context, undefined), 0), top);
  }

  /** Writes the elements of the content. They refer to their page, so they are written after it. */
  endElements(written: PdfObject): void {
    this.leaves.forEach((leaf, number) => {
      const annotation = this.#annotationOf.get(leaf);
      const content = annotation === undefined ? number : [number, { Type: 'OBJR', Obj: annotation }];
      Object.assign(leaf.data, { Pg: written, K: content });
      leaf.end();
    });
  }
}
