import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/**
 * Reads a PDF, in a thread of its own.
 *
 * @param {{ bytes: Uint8Array, from: number }} task `from` as in `readPlacedTexts`
 * @returns {Promise<import('./pdf-text.js').PlacedPdf>}
 */
export default async function read({ bytes, from }) {
  const task = getDocument({ data: bytes, useSystemFonts: false, verbosity: 0 });
  try {
    const document = await task.promise;
    const { numPages: pageCount } = document;
    const pages = [];
    for (let number = from > 0 ? from : pageCount + 1 + from; number <= pageCount; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.flatMap((item) => ('str' in item ? placed(item, page.view[3] ?? 0) : [])));
      page.cleanup();
    }
    /** @type {readonly { title: string }[] | null} Documented as always a list; null where there are no bookmarks. */
    const outline = await document.getOutline();
    const { info } = await document.getMetadata();
    return {
      pageCount,
      pages,
      bookmarks: outline === null ? [] : outline.map(({ title }) => title),
      info: Object.fromEntries(Object.entries(info)),
    };
  } finally {
    await task.destroy();
  }
}

function placed({ str: text, transform, width }, height) {
  const [, , , size, x, y] = transform;
  if (text.trim() === '') return [];
  return [{ text, x: round(x), y: round(height - y), size: round(size), width: round(width) }];
}

function round(value) {
  return Math.round(value * 10) / 10;
}
