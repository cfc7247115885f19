import type { PdfDictionary, PdfObject, PdfWriter } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import type { Canvas } from './canvas.js';

/** Draws on a page with `top` as its origin. */
export type DrawAt<On> = (on: On, top: number) => void;

/** Parts of a document that its pages need. */
export interface PageContext {
  /** Draws content shared by many pages once per key; returns the operator that shows it. */
  artwork(key: string, draw: (canvas: Canvas) => void): string;
  readonly file: PdfWriter;
}

/** Link from a page to another one. */
export interface PageLink {
  readonly annotation: PdfObject;
  /** Its element in a tagged report. */
  readonly element: PdfObject | undefined;
}

/** Page in progress: its content, and the structure element of each part. */
export class ReportPage {
  readonly leaves: PdfObject[] = [];
  readonly links: PageLink[] = [];
  readonly #context: PageContext;
  readonly #isTagged: boolean;

  constructor(
    readonly canvas: Canvas,
    context: PageContext,
    isTagged: boolean,
  ) {
    this.#context = context;
    this.#isTagged = isTagged;
  }

  /**
   * Draws content that is a new element of `parent`.
   *
   * @param name for references by other elements
   * @returns the element in a tagged report
   */
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

  /**
   * Draws content with a link, as an element of `parent` that also contains the link (ISO 32000-1, section 14.8.4.4.2).
   */
  link(parent: StructureElement | undefined, draw: () => void, entries: PdfDictionary): void {
    const annotation = this.#context.file.object({ Type: 'Annot', Subtype: 'Link', Border: [0, 0, 0], ...entries });
    this.links.push({ annotation, element: this.content('Link', parent, draw) });
  }

  /** Draws decoration or repetition, which a screen reader skips. */
  decoration(draw: () => void): void {
    if (this.#isTagged) this.canvas.raw('/Artifact BMC');
    draw();
    if (this.#isTagged) this.canvas.raw('EMC');
  }

  /**
   * Draws content common to many pages. In a tagged report it belongs to `section` and is written on every page;
   * otherwise it is stored once, as `artwork` is, and must not contain artwork itself.
   */
  fixture(key: string, section: StructureElement | undefined, draw: (page: ReportPage) => void): void {
    if (section !== undefined) draw(this);
    else this.artwork(key, (canvas) => draw(new ReportPage(canvas, this.#context, false)));
  }

  /** Writes the elements of the content. They refer to their page, so they are written after it. */
  endElements(written: PdfObject): void {
    const annotations = new Map(this.links.map(({ element, annotation }) => [element, annotation]));
    this.leaves.forEach((leaf, number) => {
      const annotation = annotations.get(leaf);
      const content = annotation === undefined ? number : [number, { Type: 'OBJR', Obj: annotation }];
      Object.assign(leaf.data, { Pg: written, K: content });
      leaf.end();
      leaf.data = {};
    });
  }

  /** Shows decoration common to many pages; stored once. */
  artwork(key: string, draw: (canvas: Canvas) => void): void {
    this.decoration(() => this.canvas.raw(this.#context.artwork(key, draw)));
  }

  /** Draws content like `fixture` at different heights: its form is stored once and shown further down. */
  fixtureAt(key: string, section: StructureElement | undefined, top: number, draw: DrawAt<ReportPage>): void {
    if (section !== undefined) draw(this, top);
    else this.artworkAt(key, top, (canvas) => draw(new ReportPage(canvas, this.#context, false), 0));
  }

  /** Shows decoration common to many pages, at different heights. */
  artworkAt(key: string, top: number, draw: DrawAt<Canvas>): void {
    const show = this.#context.artwork(key, (canvas) => draw(canvas, 0));
    this.decoration(() => this.canvas.raw(`q 1 0 0 1 0 ${Math.round(-top * 100) / 100} cm ${show} Q`));
  }
}
