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

/** Creates the REST reference for developers, with a form to try requests: a page and its script (Scalar). */
export function apiReference(basePath: string): { readonly page: Middleware; readonly script: Middleware } {
  const settings = JSON.stringify({ ...SETTINGS, url: `${basePath}/openapi.json` });
  const script = new PageFile(`${basePath}/docs/reference.js`, 'text/javascript', async () => {
    const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
    const scalar = await readFile(new URL(SCRIPT, pathToFileURL(entry)));
    return Buffer.concat([scalar, Buffer.from(`\nScalar.createApiReference('#reference', ${settings})\n`)]);
  });
  const content = '<div id="reference"></div>';
  return { page: page({ title: 'Gateway REST interface', script, content }), script: script.serve() };
}
