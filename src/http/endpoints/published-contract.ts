import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { loadOnce } from './load-once.js';

/** Both at the same depth from the sources and from the build. */
const SDL = new URL('../../../generated/schema.graphql', import.meta.url);
const OPENAPI = new URL('../../../generated/openapi/gateway.json', import.meta.url);

/** What front ends and queue functions are written against, for everybody who can reach the gateway. */
export class PublishedContract {
  /** With where the gateway is in place of an example. */
  readonly #description: () => Promise<object>;

  /** @param basePath where the gateway is below its origin; the description names it instead of an example */
  constructor(basePath: string) {
    const servers = [{ url: basePath === '' ? '/' : basePath }];
    this.#description = loadOnce(async () => ({ ...(await readOpenApi()), servers }));
  }

  /** The SDL, all files as one. */
  schema(): Middleware {
    const text = loadOnce(() => readFile(SDL, 'utf8'));
    return async (ctx) => {
      ctx.body = await text();
      ctx.type = 'text/plain; charset=utf-8';
    };
  }

  /** The OpenAPI file as JSON. */
  openApiJson(): Middleware {
    return async (ctx) => {
      ctx.body = await this.#description();
    };
  }

  /** The OpenAPI file as YAML (RFC 9512). */
  openApiYaml(): Middleware {
    // Anybody may ask for it, so it is made once.
    const text = loadOnce(async () => {
      // A large library for a page that production seldom has.
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
  return JSON.parse(await readFile(OPENAPI, 'utf8')) as object; // generated as one
}
