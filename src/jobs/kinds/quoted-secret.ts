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
    texts = [...decoded].filter((each) => !texts.includes(each));
  }
  return texts.some((each) => each.includes(secret)) || quotesBytes(text, secret);
}

const DECODERS: readonly ((text: string) => string)[] = [fromJson, fromUrl, fromForm, fromHtml];

const JSON_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function fromJson(text: string): string {
  return text.replaceAll(/\\(u[\da-f]{4}|.)/gis, (_all, escape: string) =>
    escape.length > 1 ? fromCode(escape.slice(1), 16) : (JSON_ESCAPES[escape] ?? escape),
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
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (_all, entity: string) =>
    fromEntity(entity.toLowerCase()),
  );
}

function fromEntity(entity: string): string {
  const digits = entity.slice(1);
  return HTML_ENTITIES[entity] ?? (digits.startsWith('x') ? fromCode(digits.slice(1), 16) : fromCode(digits, 10));
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
  const texts = [text, fromUrl(text), fromJson(text)];
  return (
    partsOf(texts, /[\w+/-]{2,}/g, 4).some((part) => holds(Buffer.from(part, 'base64'))) ||
    partsOf(texts, /[\da-f]{2,}/gi, 2).some((part) => holds(Buffer.from(part, 'hex')))
  );
}

/** Runs of an alphabet, from each place where a group of so many characters may begin. */
function partsOf(texts: readonly string[], alphabet: RegExp, group: number): readonly string[] {
  const runs = texts.flatMap((each) => each.match(alphabet) ?? []);
  return runs.flatMap((run) => Array.from({ length: group }, (_, from) => run.slice(from)));
}
