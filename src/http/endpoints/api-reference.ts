import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Middleware } from 'koa';
import { loadOnce } from './load-once.js';
import { pagePolicy } from './page-policy.js';

/** Scalar in one self-contained file. */
const SCRIPT = './js/standalone.js';

/** Settings of Scalar: no fonts, proxy or statistics of other hosts. */
const SETTINGS = {
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** Serves the REST reference for developers, with a form to try requests (OpenAPI rendered by Scalar). */
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

/** Serves the script of the page. It is large, so it is read at the first request. */
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
