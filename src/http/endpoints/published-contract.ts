import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { loadOnce } from '../../waits.js';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { pagePolicy } from './page-policy.js';

/** Files at the same depth from sources and build. */
const SDL = new URL('../../../generated/schema.graphql', import.meta.url);
const OPENAPI = new URL('../../../generated/openapi/gateway.json', import.meta.url);

/** SDL and OpenAPI file for developers of front ends and queue functions, public to all who reach the gateway. */
export class PublishedContract {
  /** Loads the OpenAPI file, with the gateway's own path instead of an example server. */
  readonly #description: () => Promise<object>;

  /** @param basePath path of the gateway below its origin */
  constructor(basePath: string) {
    const servers = [{ url: basePath === '' ? '/' : basePath }];
    this.#description = loadOnce(async () => ({ ...(await readOpenApi()), servers }));
  }

  /** Serves all SDL files as one. */
  schema(): Middleware {
    const text = loadOnce(() => readFile(SDL, 'utf8'));
    return async (ctx) => {
      ctx.body = await text();
      ctx.type = 'text/plain; charset=utf-8';
    };
  }

  /** Serves the OpenAPI file as JSON. */
  openApiJson(): Middleware {
    return async (ctx) => {
      ctx.body = await this.#description();
    };
  }

  /** Serves the OpenAPI file as YAML (RFC 9512). */
  openApiYaml(): Middleware {
    // Created once, because the endpoint is public.
    const text = loadOnce(async () => {
      // Loaded late: a large library for an endpoint that production seldom has.
      const { stringify } = await import('yaml');
      return stringify(await this.#description());
    });
    return async (ctx) => {
      ctx.body = await text();
      ctx.type = 'application/yaml';
    };
  }
}

async function readOpenApi(): Promise<object> {
  return JSON.parse(await readFile(OPENAPI, 'utf8')) as object; // the generated file holds an object
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
