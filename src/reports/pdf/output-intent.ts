import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { textString, type PdfWriter } from './pdf-object.js';

const PROFILE = 'sRGB IEC61966-2.1';
/** Compressed profile, shared by all files of this thread. */
let compressed: Uint8Array | undefined;

/**
 * Declares the colours of a file as sRGB, for printers and archives (ISO 32000-1, section 14.11.5). The file neither is
 * nor claims to be PDF/A.
 */
export function declareColours(file: PdfWriter): void {
  compressed ??= deflateSync(readFileSync(profilePath()));
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

/** Returns the path of the profile, which pdfkit contains. */
function profilePath(): string {
  const script = createRequire(import.meta.url).resolve('pdfkit');
  return path.join(path.dirname(script), 'data', 'sRGB_IEC61966_2_1.icc');
}
