import { deflateSync } from 'node:zlib';
import type { PdfDictionary } from './pdf/pdf-object.js';

/** Picture of an organisation as an image of a PDF file (ISO 32000-1, section 8.9.5), compressed. */
export interface Logo {
  readonly width: number;
  readonly height: number;
  readonly alternative: string;
  readonly samples: Uint8Array;
  /** Entries that say how to read the samples. */
  readonly entries: PdfDictionary;
  /** Opacity of each pixel, 8 bits; absent if all are opaque. */
  readonly opacity?: Uint8Array;
}

/** Largest file in bytes, and largest picture in pixels. */
export const MAX_LOGO_BYTES = 200_000;
const MAX_LOGO = { width: 1_000, height: 400 } as const;

/** Length of the signature and of the first chunk, in which width and height follow at 16 (ISO/IEC 15948). */
const HEADER_BYTES = 33;

/** Reads a picture. @throws {Error} that says in few words why it cannot be used */
export async function readLogo(file: Buffer, alternative: string): Promise<Logo> {
  if (file.length < HEADER_BYTES || file.toString('latin1', 1, 4) !== 'PNG') throw new Error('it is not a PNG file');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (width > MAX_LOGO.width || height > MAX_LOGO.height) {
    throw new Error(`it has ${width} × ${height} pixels, more than ${MAX_LOGO.width} × ${MAX_LOGO.height}`);
  }
  const { convertIndexedToRgb, decode } = await import('fast-png');
  const png = decode(file, { checkCrc: true });
  const { palette, depth, transparency = [] } = png;
  const data = palette === undefined ? png.data : convertIndexedToRgb(png);
  // Eyes do not see the lower 8 of 16 bits.
  const bytes = depth === 16 ? Uint8Array.from(data, (value) => value >> 8) : Uint8Array.from(data);
  const channels = palette === undefined ? png.channels : bytes.length / (width * height);
  const colours = channels < 3 ? 1 : 3;
  const planes = (from: number, to: number): Uint8Array =>
    channels === to - from ? bytes : bytes.filter((_, index) => index % channels >= from && index % channels < to);
  return {
    width,
    height,
    alternative,
    samples: deflateSync(planes(0, colours)),
    entries: {
      ColorSpace: colours === 1 ? 'DeviceGray' : 'DeviceRGB',
      BitsPerComponent: palette === undefined ? Math.min(depth, 8) : 8,
      ...(transparency.length > 0 && {
        Mask: Array.from(transparency, (key) => key >> (depth === 16 ? 8 : 0)).flatMap((key) => [key, key]),
      }),
    },
    ...(channels > colours && { opacity: deflateSync(planes(colours, channels)) }),
  };
}
