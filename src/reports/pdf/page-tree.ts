import { type PdfDictionary, type PdfObject, type PdfWriter, textString } from './pdf-object.js';

/**
 * zlib's default level takes twice the time to save an eighth of the size. A page is about as long as this window and
 * fits into one chunk; both are allocated anew per page.
 */
export const CONTENT_COMPRESSION = { level: 2, windowBits: 14, chunkSize: 8 * 1024 } as const;

/** Pages per inner node: small enough for viewers to find a page among thousands quickly. */
const PAGES_PER_NODE = 64;

interface Node {
  readonly object: PdfObject;
  readonly pages: PdfObject[];
}

/** Page tree of a file. Pages are written when added, front matter perhaps last; only references stay in memory. */
export class PageTree {
  readonly #file: PdfWriter;
  readonly #root: PdfObject;
  readonly #front: Node;
  readonly #closed: PdfObject[] = [];
  #open: Node | undefined;

  /** @param inherited entries of every page, such as size and resources */
  constructor(file: PdfWriter, root: PdfObject, inherited: PdfDictionary) {
    this.#file = file;
    this.#root = root;
    Object.assign(root.data, inherited);
    this.#front = this.#node();
  }

  /** Reserves a page after all others, or after the other front matter; `fill` it before the end. */
  reserve(isFrontMatter = false): PdfObject {
    const node = isFrontMatter ? this.#front : (this.#open ??= this.#node());
    const page = this.#file.object({ Type: 'Page', Parent: node.object });
    node.pages.push(page);
    return page;
  }

  /** Writes a reserved page. @param shared streams before its content, shared with others */
  fill(page: PdfObject, content: Uint8Array, shared: readonly PdfObject[], entries: PdfDictionary): void {
    const stream = this.#file.object({});
    stream.end(content, CONTENT_COMPRESSION);
    Object.assign(page.data, { Contents: [...shared, stream], ...entries });
    page.end();
    if (this.#open?.pages.length === PAGES_PER_NODE) this.#close(this.#open);
  }

  get count(): number {
    return this.#front.pages.length + this.#closed.length * PAGES_PER_NODE + (this.#open?.pages.length ?? 0);
  }

  /** Writes the tree except the root, which is written with the file. */
  end(): void {
    const { count } = this;
    if (this.#open !== undefined) this.#close(this.#open);
    const front = this.#front.pages.length > 0 ? [this.#front.object] : [];
    Object.assign(this.#root.data, { Count: count, Kids: [...front, ...this.#closed] });
    endNode(this.#front);
  }

  #node(): Node {
    return { object: this.#file.object({ Type: 'Pages', Parent: this.#root }), pages: [] };
  }

  #close(node: Node): void {
    endNode(node);
    this.#closed.push(node.object);
    this.#open = undefined;
  }
}

function endNode({ object, pages }: Node): void {
  Object.assign(object.data, { Count: pages.length, Kids: pages });
  object.end();
}

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

  add(title: string, page: PdfObject): void {
    const destination = [page, 'XYZ', null, null, null];
    const item = this.#file.object({ Title: textString(title), Parent: this.#root, Dest: destination });
    if (this.#last !== undefined) {
      item.data['Prev'] = this.#last;
      this.#last.data['Next'] = item;
      this.#last.end();
    }
    this.#first ??= item;
    this.#last = item;
    this.#count += 1;
  }

  /** Writes the last bookmark and makes viewers show the panel on opening. */
  end(): void {
    this.#last?.end();
    if (this.#first !== undefined) {
      Object.assign(this.#root.data, { First: this.#first, Last: this.#last, Count: this.#count });
      Object.assign(this.#file.catalogue, { Outlines: this.#root, PageMode: 'UseOutlines' });
    }
    this.#root.end();
  }
}
