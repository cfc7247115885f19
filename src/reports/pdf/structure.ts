import { runsRightToLeft } from '../text/bidi.js';
import { type PdfDictionary, type PdfObject, type PdfWriter, textString } from './pdf-object.js';

type ElementNames = Map<string, PdfObject>;

/** Element that contains other elements: a section, a table, a row (ISO 32000-1, section 14.7.2). */
export class StructureElement {
  readonly #file: PdfWriter;
  readonly reference: PdfObject;
  readonly #children: PdfObject[] = [];
  readonly #names: ElementNames;

  constructor(file: PdfWriter, type: string, parent: PdfObject, names: ElementNames, entries: PdfDictionary = {}) {
    this.#file = file;
    this.reference = file.object({ S: type, P: parent, ...entries });
    this.#names = names;
  }

  child(type: string, entries: PdfDictionary = {}): StructureElement {
    const child = new StructureElement(this.#file, type, this.reference, this.#names, entries);
    this.#children.push(child.reference);
    return child;
  }

  /** Adds an element for content of a page, which writes it. @param name for references, as from cells to headings */
  leaf(type: string, entries: PdfDictionary, name?: string): PdfObject {
    const named = name === undefined ? {} : { ID: textString(name) };
    const leaf = this.#file.object({ S: type, P: this.reference, ...named, ...entries });
    this.#children.push(leaf);
    if (name !== undefined) this.#names.set(name, leaf);
    return leaf;
  }

  /** Writes the element; nothing can be added afterwards. */
  end(): void {
    this.reference.data['K'] = this.#children;
    this.reference.end();
  }
}

export type StructureTree = ReturnType<typeof structureTree>;

/** Makes the logical structure of a file, for screen readers and for copying tables. */
export function structureTree(file: PdfWriter) {
  const root = file.object({ Type: 'StructTreeRoot' });
  /** Elements on a page, or the element of an annotation, by their key. */
  const parents: PdfObject[] = [];
  const names: ElementNames = new Map();
  const document = new StructureElement(file, 'Document', root, names);
  Object.assign(file.catalogue, { StructTreeRoot: root });
  return {
    document,
    /** Registers the elements on a page by the number of their content. @returns entries of the page for them */
    registerPage(elements: readonly PdfObject[]): PdfDictionary {
      const list = file.object({});
      // A list is legal here, and is written correctly although the type of the data says dictionary.
      Object.assign(list, { data: elements });
      list.end();
      return { StructParents: parents.push(list) - 1, Tabs: 'S' };
    },
    /** Registers the element of an annotation. @returns the entry of the annotation for it */
    registerAnnotation: (element: PdfObject): PdfDictionary => ({ StructParent: parents.push(element) - 1 }),
    /** Completes the tree; pdfkit writes its root and the mark with the catalogue. */
    end(): void {
      document.end();
      // A name tree is in the order of its bytes.
      const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
      Object.assign(root.data, {
        K: [document.reference],
        ParentTree: { Nums: parents.flatMap((parent, key) => [key, parent]) },
        ParentTreeNextKey: parents.length,
        IDTree: sorted.length === 0 ? undefined : { Names: sorted.flatMap(([name, at]) => [textString(name), at]) },
      });
      Object.assign(file.catalogue, { MarkInfo: file.object({ Marked: true }) });
    },
  };
}

/** Returns the text for reading and copying of parts that are printed side by side without a space. */
export function spokenAs(parts: readonly string[]): PdfDictionary {
  return { ActualText: textString(parts.join(' ')) };
}

/** Returns the text of lines if it is not that of their glyphs: of several, or of one from right to left. */
export function spokenLines(lines: readonly string[]): PdfDictionary | undefined {
  return lines.length > 1 || lines.some(runsRightToLeft) ? spokenAs(lines) : undefined;
}
