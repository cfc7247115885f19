import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Values that may not be seen anywhere, each by its name. */
export class MarkedSecrets {
  readonly #values = new Map<string, string>();

  /** A new one that nothing else contains; with characters that every encoding writes in another way. */
  password(what: string): string {
    return this.add(what, `Pä"ß\\w/o+rd ${randomBytes(9).toString('hex')}?&=%`);
  }

  /** A new one for headers and variables, of base64url alone. */
  key(what: string, bytes = 32): string {
    return this.add(what, randomBytes(bytes).toString('base64url'));
  }

  /** A secret that was made elsewhere. @returns it */
  add(what: string, value: string): string {
    if (value.length < 6) throw new Error(`${what} is too short to be distinguished from anything else.`);
    this.#values.set(`${what} (${this.#values.size})`, value);
    return value;
  }

  /** Which of them stand in some bytes, and how they are written there. */
  foundIn(haystack: string | Buffer): string[] {
    const bytes = Buffer.from(haystack);
    return [...this.#values].flatMap(([what, value]) =>
      Object.entries(spellingsOf(value))
        .filter(([, spellings]) => spellings.some((spelling) => stands(spelling, bytes)))
        .map(([how]) => `${what} ${how}`),
    );
  }
}

/** Whether a spelling is among bytes; a number alone is not part of a longer one, such as a time in nanoseconds. */
function stands(spelling: Buffer | string, bytes: Buffer): boolean {
  if (!/^\d{1,8}$/.test(spelling.toString())) return bytes.includes(spelling);
  return new RegExp(`(?<![0-9a-f])${spelling.toString()}(?![0-9a-f])`, 'i').test(bytes.toString('latin1'));
}

/** The ways in which a text may stand in other data, as bytes. */
function spellingsOf(text: string): Readonly<Record<string, readonly (Buffer | string)[]>> {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const encoded = encodeURIComponent(text);
  const hex = bytes.toString('hex');
  return {
    'in clear': [text, Buffer.from(text, 'utf16le')],
    'in JSON': [
      json,
      JSON.stringify(json).slice(1, -1),
      json.replaceAll(/[^\0-\x7f]/g, escaped),
      json.replaceAll('/', '\\/'),
    ],
    'in a URL': [encoded, encoded.replaceAll('%20', '+'), encodeURI(text), encodeURIComponent(encoded)],
    'in base64': alignmentsOf(bytes, 'base64'),
    'in base64url': alignmentsOf(bytes, 'base64url'),
    'in hex': [hex, hex.toUpperCase()],
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The encoded characters that stay the same, whatever bytes come before and after. */
function alignmentsOf(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(encoding)
      .replace(/=+$/, '');
    return letters.slice(Math.ceil((before * 4) / 3), -2);
  });
}

/** Everything in the files below a directory, as Latin-1. */
export async function filesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}
