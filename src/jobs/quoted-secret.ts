/** Encodings within encodings that are undone. */
const MAX_ROUNDS = 3;

/**
 * Whether a text holds a secret, as it is or as programs quote what they were sent: in JSON, in a URL or a form, in
 * HTML, in base64 or hex, also as a part of something longer, and one within another.
 */
export function quotesSecret(text: string, secret: string): boolean {
  if (secret === '') return false;
  let texts = [text];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (texts.some((each) => each.includes(secret))) return true;
    const decoded = new Set(texts.flatMap((each) => DECODERS.map((decode) => decode(each))));
    texts = [...decoded].filter((each) => each !== '' && !texts.includes(each));
  }
  return texts.some((each) => each.includes(secret)) || quotesBytes(text, secret);
}

const DECODERS: readonly ((text: string) => string)[] = [fromJson, fromUrl, fromForm, fromHtml];

const JSON_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function fromJson(text: string): string {
  return text.replaceAll(/\\(?:u([\da-f]{4})|(.))/gis, (_all, hex: string | undefined, letter = '') =>
    hex === undefined ? (JSON_ESCAPES[String(letter)] ?? String(letter)) : fromCode(hex, 16),
  );
}

function fromUrl(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

function fromForm(text: string): string {
  return fromUrl(text.replaceAll('+', ' '));
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function fromHtml(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (...match: unknown[]) => {
    const [, hex, decimal, name] = match as (string | undefined)[]; // the groups come first
    if (hex !== undefined) return fromCode(hex, 16);
    return decimal === undefined ? (HTML_ENTITIES[name?.toLowerCase() ?? ''] ?? '') : fromCode(decimal, 10);
  });
}

function fromCode(digits: string, radix: number): string {
  const code = parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Within runs of base64 or hex a secret may begin anywhere, and may have been quoted in JSON or a URL before. */
function quotesBytes(text: string, secret: string): boolean {
  const escaped = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
  const wanted = escaped.map((each) => Buffer.from(each));
  const holds = (bytes: Buffer): boolean => wanted.some((each) => bytes.includes(each));
  const runs = [text, fromUrl(text), fromJson(text)].flatMap((each) => each.match(/[\w+/-]{2,}/g) ?? []);
  return runs.some((run) =>
    [0, 1, 2, 3].some((from) => {
      const part = run.slice(from);
      return holds(Buffer.from(part, 'base64')) || (from < 3 && holds(Buffer.from(part, 'hex')));
    }),
  );
}
