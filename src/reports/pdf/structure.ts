import { textString, type PdfDictionary, type PdfWriter, type PdfObject } from './pdf-object.js';

/** The elements that others refer to by name. */
type ElementNames = Map<string, PdfObject>;

/** An element that holds other elements: a section, a table, a row (ISO 32000-1, section 14.7.2). */
export class StructureElement {
  readonly #file: PdfWriter;
  readonly #object: PdfObject;
  readonly #children: PdfObject[] = [];
  readonly #names: ElementNames;

  constructor(file: PdfWriter, type: string, parent: PdfObject, names: ElementNames, entries: PdfDictionary = {}) {
    this.#file = file;
    this.#object = file.object({ S: type, P: parent, ...entries });
    this.#names = names;
  }

  /** A new element inside this one. */
  child(type: string, entries: PdfDictionary = {}): StructureElement {
    const child = new StructureElement(this.#file, type, this.#object, this.#names, entries);
    this.#children.push(child.#object);
    return child;
  }

  /**
   * A new element that holds content of a page; the page writes it.
   *
   * @param name by which other elements refer to it, such as cells to their headings
   */
  leaf(type: string, entries: PdfDictionary, name?: string): PdfObject {
    const named = name === undefined ? {} : { ID: textString(name) };
    const leaf = this.#file.object({ S: type, P: this.#object, ...named, ...entries });
    this.#children.push(leaf);
    if (name !== undefined) this.#names.set(name, leaf);
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
  /** By their keys: the elements on a page, or the element of an annotation. */
  readonly #parents: PdfObject[] = [];
  readonly #names: ElementNames = new Map();
  /** The element everything else stands in. */
  readonly document: StructureElement;

  constructor(file: PdfWriter) {
    this.#file = file;
    this.#root = file.object({ Type: 'StructTreeRoot' });
    this.document = new StructureElement(file, 'Document', this.#root, this.#names);
    Object.assign(file.catalogue, { StructTreeRoot: this.#root });
  }

  /**
   * Registers the elements on a page by the number of their marked content.
   *
   * @returns the entries of the page that lead to them
   */
  registerPage(elements: readonly PdfObject[]): PdfDictionary {
    const key = this.#parents.length;
    const parents = this.#file.object({});
    // The writer takes whatever the object holds; a list is legal there although its name says dictionary.
    Object.assign(parents, { data: elements });
    parents.end();
    parents.data = {};
    this.#parents.push(parents);
    return { StructParents: key, Tabs: 'S' };
  }

  /**
   * Registers the element of an annotation.
   *
   * @returns the entry of the annotation that leads to it
   */
  registerAnnotation(element: PdfObject): PdfDictionary {
    return { StructParent: this.#parents.push(element) - 1 };
  }

  #nameTree(): PdfDictionary | undefined {
    if (this.#names.size === 0) return undefined;
    return { Names: [...this.#names].sort(byName).flatMap(([name, element]) => [textString(name), element]) };
  }

  /** Completes the tree; pdfkit writes its root and the mark with the rest of the catalogue. */
  end(): void {
    this.document.end();
    Object.assign(this.#root.data, {
      K: [this.document.reference],
      ParentTree: { Nums: this.#parents.flatMap((parents, key) => [key, parents]) },
      ParentTreeNextKey: this.#parents.length,
      IDTree: this.#nameTree(),
    });
    Object.assign(this.#file.catalogue, { MarkInfo: this.#file.object({ Marked: true }) });
  }
}

/** In the order of the bytes, which a name tree asks for. */
function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The parts of a text that stand side by side without a space, as they are read and copied. */
export function spokenAs(parts: readonly string[]): PdfDictionary {
  return { ActualText: textString(parts.join(' ')) };
}

/** The description of a figure, which is read instead of it. */
export function alternative(text: string): PdfDictionary {
  return { Alt: textString(text) };
}
