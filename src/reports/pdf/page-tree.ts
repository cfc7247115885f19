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

/**
 * Makes the page tree of a file. Pages are written when added, front matter perhaps last; only references stay in
 * memory. @param inherited entries of every page, such as size and resources
 */
export function pageTree(file: PdfWriter, root: PdfObject, inherited: PdfDictionary) {
  const nodeOf = (): Node => ({ object: file.object({ Type: 'Pages', Parent: root }), pages: [] });
  const endNode = ({ object, pages }: Node): void => {
    Object.assign(object.data, { Count: pages.length, Kids: pages });
    object.end();
  };
  Object.assign(root.data, inherited);
  const front = nodeOf();
  const closed: PdfObject[] = [];
  let open: Node | undefined;
  const close = (node: Node): void => {
    endNode(node);
    closed.push(node.object);
    open = undefined;
  };
  return {
    /** Reserves a page after all others, or after the other front matter; `fill` it before the end. */
    reserve(isFrontMatter = false): PdfObject {
      const node = isFrontMatter ? front : (open ??= nodeOf());
      const page = file.object({ Type: 'Page', Parent: node.object });
      node.pages.push(page);
      return page;
    },
    /** Writes a reserved page. @param shared streams before its content, shared with others */
    fill(page: PdfObject, content: Uint8Array, shared: readonly PdfObject[], entries: PdfDictionary): void {
      const stream = file.object({});
      stream.end(content, CONTENT_COMPRESSION);
      Object.assign(page.data, { Contents: [...shared, stream], ...entries });
      page.end();
      if (open?.pages.length === PAGES_PER_NODE) close(open);
    },
    get count(): number {
      return front.pages.length + closed.length * PAGES_PER_NODE + (open?.pages.length ?? 0);
    },
    /** Writes the tree except the root, which is written with the file. */
    end(): void {
      const { count } = this;
      if (open !== undefined) close(open);
      const first = front.pages.length > 0 ? [front.object] : [];
      Object.assign(root.data, { Count: count, Kids: [...first, ...closed] });
      endNode(front);
    },
  };
}

/** Makes the flat list of bookmarks. Each is written when the next is known, so thousands take no memory. */
export function outlineOf(file: PdfWriter) {
  const root = file.object({ Type: 'Outlines' });
  let [first, last]: (PdfObject | undefined)[] = [];
  let count = 0;
  return {
    add(title: string, page: PdfObject): void {
      const destination = [page, 'XYZ', null, null, null];
      const item = file.object({ Title: textString(title), Parent: root, Dest: destination });
      if (last !== undefined) {
        item.data['Prev'] = last;
        last.data['Next'] = item;
        last.end();
      }
      first ??= item;
      last = item;
      count += 1;
    },
    /** Writes the last bookmark and makes viewers show the panel on opening. */
    end(): void {
      last?.end();
      if (first !== undefined) {
        Object.assign(root.data, { First: first, Last: last, Count: count });
        Object.assign(file.catalogue, { Outlines: root, PageMode: 'UseOutlines' });
      }
      root.end();
    },
  };
}
