import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { textString, type PdfWriter } from './pdf-object.js';

const PROFILE = 'sRGB IEC61966-2.1';
/** As it stands in every file of this thread; compressed once. */
let compressed: Uint8Array | undefined;

/**
 * Says which colours the numbers of a file mean, for printers and archives: those of sRGB (ISO 32000-1, section
 * 14.11.5). It does not make the file PDF/A, and the file does not say that it is.
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

/** pdfkit brings the profile along. */
function profilePath(): string {
  const script = createRequire(import.meta.url).resolve('pdfkit');
  return path.join(path.dirname(script), 'data', 'sRGB_IEC61966_2_1.icc');
}
