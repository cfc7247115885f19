import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import { Piscina } from 'piscina';

/** A text on a page: its baseline begins at x from the left and y from the top, in points. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** How far it reaches to the right of x. */
  readonly width: number;
}

/** The texts and places that a PDF reader finds in a file. */
export interface PlacedPdf {
  /** The texts of each page that was asked for, in the order in which they are read aloud or copied. */
  readonly pages: readonly (readonly PlacedText[])[];
  /** How many pages there are. */
  readonly pageCount: number;
  readonly bookmarks: readonly string[];
  /** The information dictionary: title, author and so on. */
  readonly info: Readonly<Record<string, unknown>>;
}

/** The texts of a PDF that a reader sees. */
export interface ReadPdf {
  /** The text of each page that was asked for, its pieces in the order they were drawn, one a line. */
  readonly pages: readonly string[];
  /** How many pages there are. */
  readonly pageCount: number;
}

interface ReadTask {
  readonly bytes: Uint8Array;
  readonly from: number;
}

/**
 * pdfjs replaces `JSON.parse`, `JSON.stringify` and other parts of the language with JavaScript, which would slow down
 * the gateway of the same test and stand in for what it really uses. So it has a thread to itself.
 */
let thread: Piscina<ReadTask, PlacedPdf> | undefined;
afterAll(async () => {
  await thread?.destroy();
});

/**
 * Reads a PDF as a viewer would. Rejects when it is none.
 *
 * @param from number of the first page whose text is read, counted from the end when negative
 */
export async function readPlacedTexts(bytes: Uint8Array, from = 1): Promise<PlacedPdf> {
  thread ??= new Piscina<ReadTask, PlacedPdf>({
    filename: fileURLToPath(new URL('pdf-thread.js', import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
  });
  return thread.run({ bytes, from });
}

/** Reads the text of a PDF; see {@link readPlacedTexts}. */
export async function readPdf(bytes: Uint8Array, from?: number): Promise<ReadPdf> {
  const { pages, pageCount } = await readPlacedTexts(bytes, from);
  return { pages: pages.map((texts) => texts.map(({ text }) => text).join('\n')), pageCount };
}
