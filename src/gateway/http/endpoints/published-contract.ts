import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { packageFile } from '../../../base/package-file.js';
import { loadOnce } from '../../../base/waits.js';

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
