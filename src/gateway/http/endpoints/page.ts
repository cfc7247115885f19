import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { loadOnce } from '../../../base/waits.js';

const ONE_YEAR_SECONDS = 31_536_000;

/** File of a page: its URL, which changes with the content, and the middleware that serves it. */
interface PageFile {
  readonly url: () => Promise<string>;
  readonly serve: Middleware;
}

/**
 * Creates a large file of a page: read and compressed at the first request, and cached by browsers until it changes.
 *
 * @param path base path included
 * @param type media type
 */
export function pageFile(path: string, type: string, read: () => Promise<Buffer>): PageFile {
  const loaded = loadOnce(async () => {
    const plain = await read();
    return { plain, zipped: await promisify(gzip)(plain), version: hash('sha256', plain, 'base64url') };
  });
  return {
    url: async () => `${path}?v=${(await loaded()).version}`,
    serve: async (ctx) => {
      const { plain, zipped, version } = await loaded();
      // During an update, another version of the gateway may have served the page.
      if (ctx.query['v'] === version) ctx.set('Cache-Control', `public, max-age=${ONE_YEAR_SECONDS}, immutable`);
      ctx.vary('Accept-Encoding');
      const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
      if (isZipped) ctx.set('Content-Encoding', 'gzip');
      ctx.body = isZipped ? zipped : plain;
      ctx.type = `${type}; charset=utf-8`;
    },
  };
}

/** Policy of pages that need nothing from other hosts and that no page may frame. Editors make their own workers. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  'worker-src blob:',
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Parts of a page. */
export interface HtmlPage {
  readonly title: string;
  readonly script: PageFile;
  readonly style?: PageFile;
  /** HTML before the script. */
  readonly content: string;
}

/** Serves a page. */
export function page({ title, script, style, content }: HtmlPage): Middleware {
  return async (ctx) => {
    const link = style && `<link rel="stylesheet" href="${await style.url()}">\n`;
    ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${link ?? ''}</head>
<body>
${content}
<script src="${await script.url()}"></script>
</body>
</html>
`;
    ctx.type = 'html';
    ctx.set('Content-Security-Policy', POLICY);
    ctx.set('X-Frame-Options', 'DENY');
  };
}
