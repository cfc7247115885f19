import { inflateSync } from 'node:zlib';

/** A picture of 8-bit samples, rows from the top; three samples a pixel: red, green, blue. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint8Array;
}

const CHANNELS = 3;
// Looked up a million times a picture, and looking up a global is slow inside the test runner.
const { abs, floor } = Math;

/**
 * Reads a PNG file of 8-bit RGB without interlacing (ISO/IEC 15948), which `pdftoppm -png` writes.
 *
 * @throws {Error} when it is another kind of file
 */
export function readPng(file: Buffer): Picture {
  if (file.toString('latin1', 1, 4) !== 'PNG' || file[24] !== 8 || file[25] !== 2 || file[28] !== 0) {
    throw new Error('Not an 8-bit RGB PNG file without interlacing.');
  }
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const stride = width * CHANNELS;
  const data = inflateSync(Buffer.concat([...chunksNamed('IDAT', file)]));
  const samples = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = data[row * (stride + 1)] ?? 0;
    for (let column = 0; column < stride; column += 1) {
      const at = row * stride + column;
      const isInner = column >= CHANNELS;
      const left = isInner ? (samples[at - CHANNELS] ?? 0) : 0;
      const up = row > 0 ? (samples[at - stride] ?? 0) : 0;
      const corner = isInner && row > 0 ? (samples[at - stride - CHANNELS] ?? 0) : 0;
      samples[at] = (data[row * (stride + 1) + 1 + column] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return { width, height, samples };
}

/** Differences of two pictures. */
interface Difference {
  /** Mean of all samples, and of the worst square of `side` pixels; 0-255. */
  readonly mean: number;
  readonly worstSquare: number;
  /** Samples that an eye can tell apart. */
  readonly changed: number;
}

/** Distance of two samples that an eye can tell apart. Processors round differently, by far less. */
const SEEN = 32;

/** Compares two pictures. All of a picture has changed when its size has. */
export function difference(a: Picture, b: Picture, side = 16): Difference {
  if (a.width !== b.width || a.height !== b.height) return { mean: 255, worstSquare: 255, changed: Infinity };
  const stride = a.width * CHANNELS;
  const across = Math.ceil(a.width / side);
  const squares = new Float64Array(across * Math.ceil(a.height / side));
  let [total, changed] = [0, 0];
  a.samples.forEach((sample, at) => {
    const distance = abs(sample - (b.samples[at] ?? 0));
    const row = floor(floor(at / stride) / side);
    const square = row * across + floor((at % stride) / CHANNELS / side);
    squares[square] = (squares[square] ?? 0) + distance;
    total += distance;
    if (distance > SEEN) changed += 1;
  });
  return { mean: total / a.samples.length, worstSquare: Math.max(...squares) / (side ** 2 * CHANNELS), changed };
}

function* chunksNamed(name: string, file: Buffer): Generator<Buffer> {
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === name) yield file.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [abs(guess - left), abs(guess - up), abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
