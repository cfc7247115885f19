import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A page as a black-and-white printer has it: darkness from 0, the paper, to 255, row by row from the top. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly ink: Uint8Array;
  /** Pixels of a point. */
  readonly scale: number;
}

/** Points from the top left corner of the page. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const DOTS_PER_INCH = 144;
const POINTS_PER_INCH = 72;

/** Prints a page in grey, with poppler. */
export function printGrey(bytes: Uint8Array, page: number): GreyPicture {
  const directory = mkdtempSync(path.join(tmpdir(), 'report-'));
  try {
    const file = path.join(directory, 'report.pdf');
    writeFileSync(file, bytes);
    const range = ['-f', String(page), '-l', String(page), '-singlefile'];
    const output = path.join(directory, 'page');
    execFileSync('pdftoppm', ['-gray', '-r', String(DOTS_PER_INCH), ...range, file, output]);
    return readPgm(readFileSync(`${output}.pgm`));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A file of 8-bit grey samples (PGM, `P5`). */
function readPgm(file: Buffer): GreyPicture {
  const [head = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 40)) ?? [];
  if (head === '') throw new Error('Not a PGM file of 8 bits.');
  const ink = Uint8Array.from(file.subarray(head.length), (sample) => 255 - sample);
  return { width: Number(width), height: Number(height), ink, scale: DOTS_PER_INCH / POINTS_PER_INCH };
}

/** How much ink a box takes, in pixels that are all black, and how dark its darkest pixel is, from 0 to 255. */
export function inkIn({ width, height, ink, scale }: GreyPicture, box: Box): { sum: number; max: number } {
  let sum = 0;
  let max = 0;
  const bottom = Math.min(height, Math.floor(box.bottom * scale));
  const right = Math.min(width, Math.floor(box.right * scale));
  for (let y = Math.ceil(box.top * scale); y < bottom; y += 1) {
    for (let x = Math.ceil(box.left * scale); x < right; x += 1) {
      const value = ink[y * width + x] ?? 0;
      sum += value / 255;
      max = Math.max(max, value);
    }
  }
  return { sum, max };
}
