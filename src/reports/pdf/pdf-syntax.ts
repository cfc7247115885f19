import type { ByteWriter } from './byte-writer.js';

const ESCAPES: Readonly<Record<string, string>> = { '\r': '\\r', '(': '\\(', ')': '\\)', '\\': '\\\\' };

/**
 * Writes a value in PDF syntax (ISO 32000-1, section 7.3): strings as names, `String` objects as texts, bytes as byte
 * strings, lists and plain objects as arrays and dictionaries, other values, such as references, by their `toString`.
 */
export function writeValue(out: ByteWriter, value: unknown): void {
  if (typeof value === 'string') {
    out.write('/');
    out.write(value);
  } else if (typeof value === 'number') {
    // The format has no exponents.
    out.write(String(Math.round(value * 1e6) / 1e6));
  } else if (value instanceof String) {
    writeText(out, value.valueOf());
  } else if (value instanceof Uint8Array) {
    out.write(`<${Buffer.from(value).toString('hex')}>`);
  } else if (Array.isArray(value)) {
    out.write('[');
    value.forEach((each, index) => {
      if (index > 0) out.write(' ');
      writeValue(out, each ?? null);
    });
    out.write(']');
  } else if (isPlainObject(value)) {
    out.write('<<');
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue;
      out.write('/');
      out.write(key);
      out.write(' ');
      writeValue(out, each);
      out.write(' ');
    }
    out.write('>>');
  } else {
    out.write(String(value));
  }
}

/**
 * Writes ASCII as bytes of PDFDocEncoding, other text as UTF-16 with byte order mark (ISO 32000-1, section 7.9.2.2).
 */
function writeText(out: ByteWriter, text: string): void {
  const bytes = /^[\0-\x7f]*$/.test(text) ? text : `\ufeff${text}`.replace(/[^]/g, asTwoBytes);
  out.write('(');
  out.write(bytes.replace(/[\r()\\]/g, (character) => ESCAPES[character] ?? character));
  out.write(')');
}

function asTwoBytes(unit: string): string {
  const code = unit.charCodeAt(0);
  return String.fromCharCode(code >> 8, code & 0xff);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
