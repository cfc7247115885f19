import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { PlacedPdf } from './pdf-text.js';

/** Page of the sample report that the pictures show, behind the cover. */
export const PICTURED_PAGE = 2;

/** The words of the pictured page of a report, sorted: where they stand is not compared. */
export async function picturedWords(pdf: string): Promise<readonly string[]> {
  const thread = new Piscina({ filename: fileURLToPath(new URL('pdf-thread.js', import.meta.url)), maxThreads: 1 });
  const read = (await thread.run({ bytes: readFileSync(pdf), from: PICTURED_PAGE })) as PlacedPdf; // as it is typed there
  await thread.destroy();
  const texts = read.pages[0] ?? [];
  return texts
    .flatMap(({ text }) => text.split(/\s+/))
    .filter((word) => word !== '')
    .toSorted();
}
