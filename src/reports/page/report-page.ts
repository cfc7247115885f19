import type { PdfDictionary, PdfObject, PdfWriter } from '../pdf/pdf-object.js';
import type { StructureElement } from '../pdf/structure.js';
import type { Canvas } from './canvas.js';

/** What a page needs of its document. */
export interface PageContext {
  /** Draws once, under a name of its own, what many pages show; gives the operator that shows it. */
  artwork(key: string, draw: (canvas: Canvas) => void): string;
  /** The file of the document. */
  readonly file: PdfWriter;
}

/** What leads from a page to another one. */
export interface PageLink {
  readonly annotation: PdfObject;
  /** Its element, in a report that is tagged. */
  readonly element: PdfObject | undefined;
}

/** A page that is being drawn: its content and which structure element each part of it belongs to. */
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
   * @param name by which other elements refer to it
   * @returns the element, in a report that is tagged
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
   * Draws content that leads to another page, as an element of `parent` that holds the link too (ISO 32000-1,
   * section 14.8.4.4.2).
   */
  link(parent: StructureElement | undefined, draw: () => void, entries: PdfDictionary): void {
    const annotation = this.#context.file.object({ Type: 'Annot', Subtype: 'Link', Border: [0, 0, 0], ...entries });
    this.links.push({ annotation, element: this.content('Link', parent, draw) });
  }

  /** Draws what is decoration or repetition, which a screen reader skips. */
  decoration(draw: () => void): void {
    if (this.#isTagged) this.canvas.raw('/Artifact BMC');
    draw();
    if (this.#isTagged) this.canvas.raw('EMC');
  }

  /**
   * Draws content that is the same on many pages. In a tagged report it belongs to `section` and stands on
   * every page; otherwise it is stored once, as `artwork` is, and may not contain artwork itself.
   */
  fixture(key: string, section: StructureElement | undefined, draw: (page: ReportPage) => void): void {
    if (section !== undefined) draw(this);
    else this.artwork(key, (canvas) => draw(new ReportPage(canvas, this.#context, false)));
  }

  /** Writes the elements of the content. They name the page they stand on, so they are written after it. */
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

  /** Shows decoration that is the same on many pages and is stored once. */
  artwork(key: string, draw: (canvas: Canvas) => void): void {
    this.decoration(() => this.canvas.raw(this.#context.artwork(key, draw)));
  }
}
