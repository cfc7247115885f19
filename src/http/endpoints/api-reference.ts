import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Middleware } from 'koa';
import { page, PageFile } from './page.js';

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

/** The REST reference for developers, with a form to try requests: a page and its script (Scalar). */
export function apiReference(basePath: string): { readonly page: Middleware; readonly script: Middleware } {
  const settings = JSON.stringify({ ...SETTINGS, url: `${basePath}/openapi.json` });
  const script = new PageFile(`${basePath}/docs/reference.js`, 'text/javascript', async () => {
    const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
    const scalar = await readFile(new URL(SCRIPT, pathToFileURL(entry)));
    return Buffer.concat([scalar, Buffer.from(`\nScalar.createApiReference('#reference', ${settings})\n`)]);
  });
  return { page: page(async () => pageWith(await script.url())), script: script.serve() };
}

function pageWith(script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gateway REST interface</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="${script}"></script>
</body>
</html>
`;
}
