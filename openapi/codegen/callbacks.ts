import { readFileSync } from 'node:fs';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { parse } from 'yaml';

/** The part of an OpenAPI 3.1 document that says which operations are callbacks. */
interface CallbackDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, CallbackOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly type?: unknown }>> };
}

interface CallbackOperation {
  readonly 'x-job-kind'?: string;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
  };
}

/**
 * Code generator plugin: the kinds of job, which are the operations of an OpenAPI file (`config.document`: its path)
 * that carry `x-job-kind`. A `.js` file gets their paths and which of them take a list; a `.d.ts` file gets the types.
 */
export const plugin: PluginFunction<{ document: string }> = (_schema, _documents, { document: path }, info) => {
  const document = parse(readFileSync(path, 'utf8')) as CallbackDocument; // held to OpenAPI by its own lint
  const callbacks = Object.entries(document.paths).flatMap(([route, { post }]) =>
    post?.['x-job-kind'] === undefined
      ? []
      : [{ route, kind: post['x-job-kind'], takesList: takesList(document, post) }],
  );
  const paths = Object.fromEntries(callbacks.map(({ kind, route }) => [kind, route]));
  const lists = callbacks.filter(({ takesList: list }) => list).map(({ kind }) => kind);
  const isDeclaration = info?.outputFile?.endsWith('.d.ts') === true;
  const constant = (name: string, value: unknown): string =>
    isDeclaration
      ? `export declare const ${name}: ${readonlyType(value)};`
      : `export const ${name} = ${JSON.stringify(value, null, 2)};`;
  return [
    `// Generated from ${path}; run \`npm run codegen\` instead of editing.`,
    constant('CALLBACK_PATHS', paths),
    constant('LIST_KINDS', lists),
    '',
  ].join('\n');
};

function takesList({ components }: CallbackDocument, { requestBody }: CallbackOperation): boolean {
  const name = requestBody?.content['application/json'].schema.$ref.split('/').pop() ?? '';
  return components.schemas[name]?.type === 'array';
}

/** The type of a constant, to the letter. */
function readonlyType(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(readonlyType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `  readonly '${name}': ${readonlyType(field)};`);
  return ['{', ...fields, '}'].join('\n');
}
