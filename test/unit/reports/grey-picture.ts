import { execFileSync } from 'node:child_process';

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
// Looked up for each row of each box, and looking up a global is slow inside the test runner.
const { ceil, floor, min } = Math;

/** Prints a page in grey, with poppler. */
export function printGrey(bytes: Uint8Array, page: number): GreyPicture {
  const [picture] = print(bytes, DOTS_PER_INCH, ['-f', String(page), '-l', String(page)]);
  if (picture === undefined) throw new Error(`There is no page ${page}.`);
  return picture;
}

/** Prints all pages in grey, coarsely: enough to see where there is ink. */
export function printAllGrey(bytes: Uint8Array): readonly GreyPicture[] {
  return print(bytes, POINTS_PER_INCH, []);
}

const MAX_BYTES = 512 * 1024 * 1024;

function print(bytes: Uint8Array, resolution: number, range: readonly string[]): readonly GreyPicture[] {
  const file = execFileSync('pdftoppm', ['-gray', '-r', String(resolution), ...range, '-'], {
    input: bytes,
    maxBuffer: MAX_BYTES,
  });
  const pictures: GreyPicture[] = [];
  for (let at = 0; at < file.length;) {
    const { picture, end } = readPgm(file, at, resolution / POINTS_PER_INCH);
    pictures.push(picture);
    at = end;
  }
  return pictures;
}

/** A picture of 8-bit grey samples (PGM, `P5`), which begins and ends somewhere in a file. */
function readPgm(file: Buffer, start: number, scale: number): { picture: GreyPicture; end: number } {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', start, start + 40));
  if (head === null) throw new Error('Not a PGM file of 8 bits.');
  const [width, height] = [Number(head[1]), Number(head[2])];
  const samples = start + head[0].length;
  const end = samples + width * height;
  const ink = new Uint8Array(file.subarray(samples, end));
  for (let at = 0; at < ink.length; at += 1) ink[at] = 255 - (ink[at] ?? 0);
  return { picture: { width, height, ink, scale }, end };
}

/** How much ink a box takes, in pixels that are all black, and how dark its darkest pixel is, from 0 to 255. */
export function inkIn({ width, height, ink, scale }: GreyPicture, box: Box): { sum: number; max: number } {
  let sum = 0;
  let max = 0;
  const bottom = min(height, floor(box.bottom * scale));
  const left = ceil(box.left * scale);
  const right = min(width, floor(box.right * scale));
  for (let y = ceil(box.top * scale); y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const value = ink[y * width + x] ?? 0;
      sum += value;
      if (value > max) max = value;
    }
  }
  return { sum: sum / 255, max };
}
