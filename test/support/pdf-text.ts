import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What a reader sees of a PDF. */
export interface ReadPdf {
  /** The text of each page that was asked for, its pieces in the order they were drawn, one a line. */
  readonly pages: readonly string[];
  /** How many pages there are. */
  readonly pageCount: number;
  /** Title of the document, from its metadata. */
  readonly title: unknown;
}

/**
 * Reads a PDF as a viewer would. Rejects when it is none.
 *
 * @param from number of the first page whose text is read, counted from the end when negative
 */
export async function readPdf(bytes: Uint8Array, from = 1): Promise<ReadPdf> {
  // A copy: the parser takes the memory over.
  const task = getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  const first = from > 0 ? from : document.numPages + 1 + from;
  for (let number = first; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .filter((text) => text.trim() !== '')
        .join('\n'),
    );
  }
  const { info } = await document.getMetadata();
  const title: unknown = 'Title' in info ? info.Title : undefined;
  const pageCount = document.numPages;
  await task.destroy();
  return { pages, pageCount, title };
}
