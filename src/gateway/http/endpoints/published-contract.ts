import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Middleware } from 'koa';
import { packageFile } from '../../../base/package-file.js';
import { loadOnce } from '../../../base/waits.js';
import { page, pageFile } from './page.js';

const SDL = packageFile('generated/schema.graphql');
const ERRORS_FILE = packageFile('generated/errors.json');
const OPENAPI = packageFile('generated/openapi/gateway.json');
const OPENAPI_SOURCE = packageFile('openapi/gateway.yaml');

/** Example server in the source, with the lines of it. */
const EXAMPLE_SERVERS = /^servers:\n(?: .*\n)+/m;

/**
 * Serves the SDL, the list of errors, and the OpenAPI file (as JSON, and as YAML by RFC 9512), by path. Each text is
 * made once, because the endpoints are public. `basePath` replaces the example server of the file.
 */
export function publishedContract(basePath: string): Readonly<Record<string, Middleware>> {
  const servers = [{ url: basePath === '' ? '/' : basePath }];
  return {
    '/schema.graphql': serveOnceMade('text/plain; charset=utf-8', () => readFile(SDL, 'utf8')),
    '/errors.json': serveOnceMade('application/json', () => readFile(ERRORS_FILE, 'utf8')),
    '/openapi.json': serveOnceMade('application/json', async () => {
      const file = JSON.parse(await readFile(OPENAPI, 'utf8')) as object; // the generated file holds an object
      return { ...file, servers };
    }),
    '/openapi.yaml': serveOnceMade('application/yaml', async () => {
      const source = await readFile(OPENAPI_SOURCE, 'utf8');
      return source.replace(EXAMPLE_SERVERS, () => `servers: ${JSON.stringify(servers)}\n`);
    }),
  };
}

/** Serves a text that is made at the first request. */
function serveOnceMade(type: string, make: () => Promise<unknown>): Middleware {
  const text = loadOnce(make);
  return async (ctx) => {
    ctx.body = await text();
    ctx.type = type;
  };
}

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
  const script = pageFile(`${basePath}/docs/reference.js`, 'text/javascript', async () => {
    const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
    const scalar = await readFile(new URL(SCRIPT, pathToFileURL(entry)));
    return Buffer.concat([scalar, Buffer.from(`\nScalar.createApiReference('#reference', ${settings})\n`)]);
  });
  const content = '<div id="reference"></div>';
  return { page: page({ title: 'Gateway REST interface', script, content }), script: script.serve };
}
