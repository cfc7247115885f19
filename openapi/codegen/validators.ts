import { createHash } from 'node:crypto';
import path from 'node:path';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { recogniseUsualDateTimes } from './date-time.js';
import { MAX_FAULTS } from '../../src/base/errors.js';
import { readDocument, schemaNames } from './document.js';
import { countFewerCharacters } from './text-length.js';

/** Words OpenAPI adds to JSON Schema as annotations; `x-reason` is the row of the error table for a fault. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-reason'];

/**
 * Code generator plugin: standalone Ajv validators of every component schema of one OpenAPI file, so that
 * nothing is compiled at start-up and no `eval` runs in the server. Values are never coerced. Each schema has a
 * function of its own, and names that no other schema changes: the difference that a change makes is its own.
 *
 * Bodies that callers send (`…Request`) of a file with `allFaults` get several faults at once, all else the first.
 */
export const plugin: PluginFunction<{ document: string; allFaults?: boolean }> = (_schema, _documents, options) => {
  const { document: file, allFaults = false } = options;
  const document = readDocument(file);
  const { schemas } = document.components;
  const names = schemaNames(document);
  const bodies = new Set<string>();
  if (allFaults) for (const name of names) if (name.endsWith('Request')) addWithParts(name, schemas, bodies);
  const others = names.filter((name) => !bodies.has(name));
  const declarations = [
    ...named(compiled(schemas, others, { allErrors: false })),
    ...named(stoppingAt(MAX_FAULTS, compiled(schemas, [...bodies].sort(), { allErrors: true }))),
  ];
  return [
    `// Generated from ${file}; run \`npm run codegen\` instead of editing.`,
    ...withImports([...new Set(declarations)].sort()),
    '',
  ].join('\n');
};

/** Imports what Ajv requires, its own run-time parts, because it emits CommonJS into ES modules. */
export function withImports(declarations: readonly string[]): string[] {
  const imports = new Map<string, string>();
  const importing = declarations.map((text) =>
    text.replaceAll(/\brequire\("(.+?)"\)/g, (_, file: string) => {
      const name = path.posix.basename(file);
      imports.set(`${file}.js`, name);
      return name;
    }),
  );
  return [
    ...[...imports]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([file, name]) => `import ${name} from '${file}';`),
    ...importing,
  ];
}

type Schemas = Readonly<Record<string, object>>;

export function compiled(
  schemas: Schemas,
  names: readonly string[],
  options: Pick<Options, 'allErrors' | 'verbose' | 'coerceTypes'>,
): string {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
    inlineRefs: false,
    ...options,
    code: { source: true, esm: true, lines: true },
  });
  addFormatsModule.default(ajv);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  countFewerCharacters(ajv);
  recogniseUsualDateTimes(ajv);
  for (const name of names) ajv.addSchema(standingAlone(schemas[name]), name);
  return standaloneModule.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
}

/** Adds a schema and all that it refers to. */
function addWithParts(name: string, schemas: Schemas, found: Set<string>): void {
  if (found.has(name)) return;
  found.add(name);
  const text = JSON.stringify(schemas[name]);
  // Leaving early would end a branch that may fail.
  if (/"(anyOf|oneOf|not|if)":/.test(text)) throw new Error(`${name} has alternatives: its faults cannot be counted.`);
  for (const [, part = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) addWithParts(part, schemas, found);
}

/**
 * Lets validators that look for all faults stop at a number of them, for which Ajv has no option: a body of five
 * megabytes may have a million.
 */
function stoppingAt(max: number, code: string): string {
  const stop = (validator: string): string => `if(errors >= ${max}){\n${validator}.errors = vErrors;\nreturn false;\n}`;
  return code
    .split(/(?=^function validate\d+\()/m)
    .map((text) => {
      const [, validator = ''] = /^function (validate\d+)\(/.exec(text) ?? [];
      return validator === '' ? text : text.replace(/^errors(\+\+| = vErrors\.length);$/gm, `$&\n${stop(validator)}`);
    })
    .join('');
}

/** A schema that refers to others by their names. */
function standingAlone(schema: object | undefined): object {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"');
  return JSON.parse(text) as object; // as it was
}

/** How each declaration of Ajv at the top of a file begins. */
const DECLARATION =
  /^(?=export const |const (?:schema|func|pattern|formats)\d|function validate\d|validate\d+\.evaluated = )/m;

/** Names that Ajv gives them. */
const NUMBERED = /\b(?:schema|func|pattern|formats|validate)\d+\b/g;

/**
 * Ajv numbers what it declares in the order in which it comes across it, so that whatever is added renames and moves
 * all that follows. Here each declaration gets a name that says what it stands for, and the place of its name.
 */
export function named(code: string): string[] {
  const declarations = code.split(DECLARATION).slice(1);
  const names = new Map<string, string>();
  for (const [, schema = '', validator = ''] of code.matchAll(/^export const (\w+) = (\w+);/gm)) {
    names.set(validator, `validate${schema}`);
  }
  for (const text of declarations) {
    const [, declared = '', value = ''] = /^(?:const|function) (\w+)(.*)/s.exec(text) ?? [];
    const validator = names.get(declared);
    // Each validator looks at its own schema alone.
    const [schema] = validator === undefined ? [] : (/\bschema\d+\b/.exec(value) ?? []);
    if (validator !== undefined && schema !== undefined) names.set(schema, validator.replace('validate', 'schema'));
    else if (!names.has(declared)) names.set(declared, `${declared.replace(/\d+$/, '')}_${digestOf(value)}`);
  }
  return declarations.map((text) => text.replaceAll(NUMBERED, (name) => names.get(name) ?? name).trimEnd());
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
