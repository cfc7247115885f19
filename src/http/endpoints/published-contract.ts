import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';

/** Both at the same depth from the sources and from the build. */
const SDL = new URL('../../../generated/schema.graphql', import.meta.url);
const OPENAPI = new URL('../../../openapi/gateway.yaml', import.meta.url);

/** What front ends and queue functions are written against, for everybody who can reach the gateway. */
export class PublishedContract {
  #openApi: Promise<object> | undefined;

  readonly #basePath: string;

  /** @param basePath where the gateway is below its origin; the description names it instead of an example */
  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  /** The SDL, all files as one. */
  schema(): Middleware {
    let text: Promise<string> | undefined;
    return async (ctx) => {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = await (text ??= readFile(SDL, 'utf8'));
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
    return async (ctx) => {
      // A large library for a page that production seldom has.
      const { stringify } = await import('yaml');
      ctx.type = 'application/yaml';
      ctx.body = stringify(await this.#description());
    };
  }

  #description(): Promise<object> {
    this.#openApi ??= readOpenApi().then((description) => ({
      ...description,
      servers: [{ url: this.#basePath === '' ? '/' : this.#basePath }],
    }));
    return this.#openApi;
  }
}

async function readOpenApi(): Promise<object> {
  const { parse } = await import('yaml');
  return parse(await readFile(OPENAPI, 'utf8')) as object; // the build has read it as OpenAPI
}
