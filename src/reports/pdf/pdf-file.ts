import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Font } from 'fontkit';
import { ObjectTable } from './object-table.js';
import { CONTENT_COMPRESSION, pageTree } from './page-tree.js';
import { type PdfDictionary, type PdfObject, type PdfWriter, textString } from './pdf-object.js';
import { type EmbeddedFont, pdfkitDocument } from './pdfkit-internals.js';

export interface PdfFileOptions {
  readonly title: string;
  readonly author: string | undefined;
  readonly language: string;
  readonly keywords: string;
  readonly createdAt: Date;
  readonly compress: boolean;
  readonly pageSize: readonly [width: number, height: number];
}

/** PDF file written as it grows: finished parts leave memory and can be read at once. */
export class PdfFile implements PdfWriter {
  readonly pages: ReturnType<typeof pageTree>;
  readonly catalogue: PdfDictionary;
  readonly #document: ReturnType<typeof pdfkitDocument>;
  readonly #objects: ObjectTable;
  readonly #identifier: Uint8Array;
  readonly #fonts = new Map<Font, EmbeddedFont>();
  readonly #fontResources: PdfObject;
  readonly #formResources: PdfObject;

  constructor(options: PdfFileOptions) {
    const info = {
      Title: options.title,
      ...(options.author === undefined ? {} : { Author: options.author }),
      Keywords: options.keywords,
      Creator: 'Driving reports',
      Producer: 'PDFKit',
      CreationDate: options.createdAt,
    };
    this.#identifier = createHash('sha256').update(JSON.stringify(info)).digest().subarray(0, 16);
    // pdfkit's own pages and text take three objects and several times the time per page, and keep them all in memory.
    this.#objects = new ObjectTable(() => this.#document.nextNumber(), options.compress);
    this.#document = pdfkitDocument(
      { compress: options.compress, displayTitle: true, lang: options.language, pdfVersion: '1.7', info },
      (piece) => this.#objects.append(piece),
    );
    const { catalogue } = this.#document;
    this.catalogue = catalogue;
    this.#fontResources = this.object({});
    this.#formResources = this.object({});
    this.pages = pageTree(this, catalogue.Pages, {
      MediaBox: [0, 0, ...options.pageSize],
      Resources: { Font: this.#fontResources, XObject: this.#formResources },
    });
    declareColours(this);
  }

  object(data: PdfDictionary): PdfObject {
    return this.#objects.object(data);
  }

  /** Takes the bytes so far, in chunks of 256 KiB or, with `least`, also smaller ones. */
  chunks(least?: number): Generator<Uint8Array> {
    return this.#objects.chunks(least);
  }

  /** Returns the embedded font of this file; every page may use it by its id. */
  font(font: Font): EmbeddedFont {
    let embedded = this.#fonts.get(font);
    if (embedded === undefined) {
      this.#fonts.set(font, (embedded = this.#document.font(font)));
      this.#fontResources.data[embedded.id] = embedded.ref();
    }
    return embedded;
  }

  /** Adds a form: a drawing shared by many pages, which show it by its name. */
  form(name: string, content: Uint8Array, size: readonly [width: number, height: number]): void {
    const form = this.object({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, ...size],
      Resources: { Font: this.#fontResources },
    });
    form.end(content, CONTENT_COMPRESSION);
    this.#formResources.data[name] = form;
  }

  /** Adds an image, which pages show by its name. @param opacity of its pixels, 8 bits each; both are compressed */
  image(name: string, entries: PdfDictionary, samples: Uint8Array, opacity?: Uint8Array): void {
    const common = { Type: 'XObject', Subtype: 'Image', Filter: 'FlateDecode', ...entries };
    const mask = opacity && this.object({ ...common, ColorSpace: 'DeviceGray', BitsPerComponent: 8 });
    mask?.end(opacity);
    const image = this.object({ ...common, ...(mask && { SMask: mask }) });
    image.end(samples);
    this.#formResources.data[name] = image;
  }

  /** Writes pages, fonts, metadata and cross references; `chunks` then has the rest. */
  end(): void {
    this.pages.end();
    this.#fontResources.end();
    this.#formResources.end();
    this.#objects.end({ ...this.#document.end(), ID: [this.#identifier, this.#identifier] });
  }
}

const PROFILE = 'sRGB IEC61966-2.1';
/** Compressed profile, which pdfkit contains; shared by all files of this thread. */
let compressed: Uint8Array | undefined;

/** Declares the colours of a file as sRGB (ISO 32000-1, section 14.11.5). It neither is nor claims to be PDF/A. */
function declareColours(file: PdfWriter): void {
  const pdfkit = createRequire(import.meta.url).resolve('pdfkit');
  compressed ??= deflateSync(readFileSync(path.join(path.dirname(pdfkit), 'data', 'sRGB_IEC61966_2_1.icc')));
  const profile = file.object({ N: 3, Filter: 'FlateDecode' });
  profile.end(compressed);
  const intent = file.object({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: textString(PROFILE),
    Info: textString(PROFILE),
    DestOutputProfile: profile,
  });
  intent.end();
  file.catalogue['OutputIntents'] = [intent];
}
