import { textString, type PdfWriter, type PdfObject } from './pdf-object.js';

/** Flat list of bookmarks. Each is written when the next is known, so thousands take no memory. */
export class Outline {
  readonly #file: PdfWriter;
  readonly #root: PdfObject;
  #first: PdfObject | undefined;
  #last: PdfObject | undefined;
  #count = 0;

  constructor(file: PdfWriter) {
    this.#file = file;
    this.#root = file.object({ Type: 'Outlines' });
  }

  /** Adds a bookmark for a page. */
  add(title: string, page: PdfObject): void {
    const item = this.#file.object({
      Title: textString(title),
      Parent: this.#root,
      Dest: [page, 'XYZ', null, null, null],
    });
    if (this.#last !== undefined) {
      item.data['Prev'] = this.#last;
      this.#last.data['Next'] = item;
      this.#endLast();
    }
    this.#first ??= item;
    this.#last = item;
    this.#count += 1;
  }

  /** Writes the last bookmark and makes viewers show the panel on opening. */
  end(): void {
    this.#endLast();
    if (this.#first !== undefined) {
      Object.assign(this.#root.data, { First: this.#first, Last: this.#last, Count: this.#count });
      Object.assign(this.#file.catalogue, { Outlines: this.#root, PageMode: 'UseOutlines' });
    }
    this.#root.end();
  }

  #endLast(): void {
    if (this.#last === undefined) return;
    this.#last.end();
    this.#last.data = {};
  }
}
