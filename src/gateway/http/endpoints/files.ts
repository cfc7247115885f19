import { hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { ERRORS } from '../../../base/error-table.js';
import type { SignedObject, SignedObjects } from '../../../objects/files/file-object-store.js';
import { percentDecoded } from '../../../base/wire/decode-utf8.js';
import { ConnectionShares } from '../../../clients/connection-shares.js';
import { networksOf } from '../../../base/wire/client-address.js';
import { HttpProblem } from '../http-problem.js';
import { endIfSlow } from '../slow-readers.js';

/** Limit of files that are open at the same time, for all clients; each needs a handle and a buffer. */
const MAX_OPEN_FILES = 256;

/** Time over which the rate of a download is measured while more than half of the places are taken, in milliseconds. */
const RATE_MS = 30_000;

/** Time after which a download beyond the limit may be retried, in milliseconds. */
const RETRY_MS = 1_000;

const REFUSAL_STYLE = 'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}';

/** Words of the page for people who open a refused link, in the languages of reports, the default first. */
const REFUSAL_WORDS = {
  en: ['Download link', 'This link does not work', ERRORS.LinkRefused.text],
  ja: [
    'ダウンロードリンク',
    'このリンクは使えません',
    'ダウンロードリンクの期限が切れているか、リンクが正しくありません。新しいリンクを取得してください。',
  ],
} as const;

function refusalPage(language: keyof typeof REFUSAL_WORDS): string {
  const [title, heading, text] = REFUSAL_WORDS[language];
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${REFUSAL_STYLE}</style>
<main><h1>${heading}</h1><p>${text}</p></main>
</html>
`;
}

const REFUSAL_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', REFUSAL_STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves objects of the embedded store through signed links that expire. Organisations, objects and clients have shares
 * of the places, and slow clients leave theirs when more than half are taken.
 *
 * @param prefix path before the key
 */
export function files(
  objects: SignedObjects,
  prefix: string,
  { maxOpen = MAX_OPEN_FILES, rateMs = RATE_MS } = {},
): Middleware {
  const shares = { connections: maxOpen, maxWaiting: 0, fair: true };
  const ofOrganisations = new ConnectionShares(shares);
  const ofObjects = new ConnectionShares(shares);
  const ofClients = new ConnectionShares(shares);
  const isNeeded = (): boolean => ofOrganisations.use.inUse > maxOpen / 2;
  return async (ctx) => {
    const key = percentDecoded(ctx.path.slice(prefix.length));
    const { exp, sig } = ctx.query;
    const [, organisation = ''] = key?.split('/') ?? [];
    const places = [
      ofOrganisations.take([organisation]),
      ofObjects.take([key ?? '']),
      ofClients.take(networksOf(ctx.ip)),
    ];
    const close = (): void => places.forEach((giveBack) => giveBack?.());
    if (places.includes(undefined)) {
      close();
      throw new HttpProblem('TooManyDownloads', {}, { retryAfterMs: RETRY_MS });
    }
    let found: SignedObject = { kind: 'refused' };
    try {
      if (key !== undefined && typeof exp === 'string' && typeof sig === 'string') {
        found = await objects.openSigned(key, exp, sig);
      }
    } finally {
      if (found.kind === 'found') found.stream.once('close', close);
      else close();
    }
    if (found.kind === 'refused') sendRefusal(ctx);
    else if (found.kind === 'missing') throw new HttpProblem('NotFound');
    else {
      ctx.set('Cache-Control', 'private, no-store');
      ctx.attachment(found.downloadName);
      ctx.type = found.contentType;
      ctx.length = found.size;
      ctx.body = found.stream;
      endIfSlow(ctx.res, rateMs, isNeeded);
    }
  };
}

/** Answers a browser with a page in its language. @throws {HttpProblem} 403 for other callers */
function sendRefusal(ctx: Context): void {
  ctx.vary(['Accept', 'Accept-Language']);
  if (ctx.accepts('json', 'html') !== 'html') throw new HttpProblem('LinkRefused');
  ctx.status = ERRORS.LinkRefused.status;
  ctx.set('Content-Security-Policy', REFUSAL_POLICY);
  ctx.type = 'html';
  ctx.body = refusalPage(ctx.acceptsLanguages('en', 'ja') === 'ja' ? 'ja' : 'en');
}
