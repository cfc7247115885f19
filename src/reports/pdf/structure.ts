import { textString, type PdfDictionary, type PdfWriter, type PdfObject } from './pdf-object.js';

/** An element that holds other elements: a section, a table, a row (ISO 32000-1, section 14.7.2). */
export class StructureElement {
  readonly #file: PdfWriter;
  readonly #object: PdfObject;
  readonly #children: PdfObject[] = [];

  constructor(file: PdfWriter, type: string, parent: PdfObject, entries: PdfDictionary = {}) {
    this.#file = file;
    this.#object = file.object({ S: type, P: parent, ...entries });
  }

  /** A new element inside this one. */
  child(type: string, entries: PdfDictionary = {}): StructureElement {
    const child = new StructureElement(this.#file, type, this.#object, entries);
    this.#children.push(child.#object);
    return child;
  }

  /** A new element that holds content of a page; the page writes it. */
  leaf(type: string, entries: PdfDictionary): PdfObject {
    const leaf = this.#file.object({ S: type, P: this.#object, ...entries });
    this.#children.push(leaf);
    return leaf;
  }

  /** The element as others refer to it. */
  get reference(): PdfObject {
    return this.#object;
  }

  /** Writes the element; nothing can be added to it any more. */
  end(): void {
    this.#object.data['K'] = this.#children;
    this.#object.end();
    this.#object.data = {};
  }
}

/** The logical structure of a file, for screen readers and for copying tables. */
export class StructureTree {
  readonly #file: PdfWriter;
  readonly #root: PdfObject;
  readonly #pages: PdfObject[] = [];
  /** The element everything else stands in. */
  readonly document: StructureElement;

  constructor(file: PdfWriter) {
    this.#file = file;
    this.#root = file.object({ Type: 'StructTreeRoot' });
    this.document = new StructureElement(file, 'Document', this.#root);
    Object.assign(file.catalogue, { StructTreeRoot: this.#root });
  }

  /**
   * Registers the elements on a page by the number of their marked content.
   *
   * @returns the entries of the page that lead to them
   */
  registerPage(elements: readonly PdfObject[]): PdfDictionary {
    const key = this.#pages.length;
    const parents = this.#file.object({});
    // pdfkit writes whatever the object holds; a list is legal there although its name says dictionary.
    Object.assign(parents, { data: elements });
    parents.end();
    parents.data = {};
    this.#pages.push(parents);
    return { StructParents: key, Tabs: 'S' };
  }

  /** Completes the tree; pdfkit writes its root and the mark with the rest of the catalogue. */
  end(): void {
    this.document.end();
    Object.assign(this.#root.data, {
      K: [this.document.reference],
      ParentTree: { Nums: this.#pages.flatMap((parents, key) => [key, parents]) },
      ParentTreeNextKey: this.#pages.length,
    });
    Object.assign(this.#file.catalogue, { MarkInfo: this.#file.object({ Marked: true }) });
  }
}

/** The parts of a text that stand side by side without a space, as they are read and copied. */
export function spokenAs(parts: readonly string[]): PdfDictionary {
  return { ActualText: textString(parts.join(' ')) };
}

/** The description of a figure, which is read instead of it. */
export function alternative(text: string): PdfDictionary {
  return { Alt: textString(text) };
}
