import { readFileSync } from 'node:fs';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { parse } from 'yaml';

/** The part of an OpenAPI 3.1 document that says which operations are callbacks. */
interface CallbackDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, CallbackOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The part of a JSON Schema that tells the names of members. */
interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface CallbackOperation {
  readonly 'x-job-kind'?: string;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
  };
}

/**
 * Code generator plugin: the kinds of job, which are the operations of an OpenAPI file (`config.document`: its path)
 * that carry `x-job-kind`. A `.js` file gets their paths, which of them take a list, and the names of the members of
 * their bodies; a `.d.ts` file gets the types.
 */
export const plugin: PluginFunction<{ document: string }> = (_schema, _documents, { document: path }, info) => {
  const document = parse(readFileSync(path, 'utf8')) as CallbackDocument; // held to OpenAPI by its own lint
  const callbacks = Object.entries(document.paths).flatMap(([route, { post }]) =>
    post?.['x-job-kind'] === undefined
      ? []
      : [{ route, kind: post['x-job-kind'], takesList: takesList(document, post), body: bodyOf(document, post) }],
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
    constant('BODY_MEMBERS', Object.fromEntries(callbacks.map(({ kind, body }) => [kind, membersOf(document, body)]))),
    '',
  ].join('\n');
};

function takesList(document: CallbackDocument, operation: CallbackOperation): boolean {
  return bodyOf(document, operation).type === 'array';
}

function bodyOf(document: CallbackDocument, { requestBody }: CallbackOperation): Schema {
  return resolved(document, requestBody?.content['application/json'].schema ?? {});
}

function resolved({ components }: CallbackDocument, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').pop() ?? ''] ?? {});
}

/** The members of a value by name, those of its entries if it is a list; null where any JSON may stand. */
function membersOf(document: CallbackDocument, given: Schema): object | null {
  const { items, properties = {} } = resolved(document, given);
  if (items !== undefined) return Object.keys(items).length === 0 ? null : membersOf(document, items);
  return Object.fromEntries(Object.entries(properties).map(([name, inside]) => [name, membersOf(document, inside)]));
}

/** The type of a constant, to the letter. */
function readonlyType(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(readonlyType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Object.keys(value).length === 0) return 'Readonly<Record<string, never>>';
  const fields = Object.entries(value).map(([name, field]) => `  readonly '${name}': ${readonlyType(field)};`);
  return ['{', ...fields, '}'].join('\n');
}
