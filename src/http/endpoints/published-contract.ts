import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { loadOnce } from '../../waits.js';

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
