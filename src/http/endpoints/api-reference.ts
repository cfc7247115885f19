import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Middleware } from 'koa';
import { loadOnce } from './load-once.js';
import { pagePolicy } from './page-policy.js';

/** Scalar in one file, which needs nothing from anywhere else. */
const SCRIPT = './js/standalone.js';

/** What it is told: to show our description, and to ask nobody else for fonts, a proxy or statistics. */
const SETTINGS = {
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** The REST interface for people: what is sent and answered, and a form to try it (OpenAPI rendered by Scalar). */
export function apiReference(basePath: string): Middleware {
  const start = `Scalar.createApiReference('#reference', ${JSON.stringify({ ...SETTINGS, url: `${basePath}/openapi.json` })})`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gateway REST interface</title>
</head>
<body>
<div id="reference"></div>
<script src="${basePath}/docs/reference.js"></script>
<script>${start}</script>
</body>
</html>
`;
  const policy = pagePolicy(start, { scripts: "'self'" });
  return (ctx) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.set('X-Frame-Options', 'DENY');
    ctx.type = 'html';
    ctx.body = html;
  };
}

/** The script of the page. It is large, so it is read at the first request. */
export function apiReferenceScript(): Middleware {
  const script = loadOnce(() => {
    const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
    return readFile(new URL(SCRIPT, pathToFileURL(entry)));
  });
  return async (ctx) => {
    ctx.body = await script();
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.type = 'text/javascript; charset=utf-8';
  };
}
