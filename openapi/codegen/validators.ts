import { createHash } from 'node:crypto';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { recogniseUsualDateTimes } from './date-time.js';
import { readDocument, schemaNames } from './document.js';
import { countFewerCharacters } from './text-length.js';

/** Words OpenAPI adds to JSON Schema as annotations; `x-message` is the text shown when a pattern fails. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-message'];

/**
 * Code generator plugin: standalone Ajv validators of every component schema of one OpenAPI file, so that
 * nothing is compiled at start-up and no `eval` runs in the server. Values are never coerced. Each schema has a
 * function of its own, and names that no other schema changes: the difference that a change makes is its own.
 */
export const plugin: PluginFunction<{ document: string }> = (_schema, _documents, { document: path }) => {
  const document = readDocument(path);
  const names = schemaNames(document);
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true },
  });
  addFormatsModule.default(ajv);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  countFewerCharacters(ajv);
  recogniseUsualDateTimes(ajv);
  for (const name of names) ajv.addSchema(standingAlone(document.components.schemas[name]), name);

  const code = standaloneModule.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return [
    `// Generated from ${path}; run \`npm run codegen\` instead of editing.`,
    // Ajv emits CommonJS requires of its own run-time parts into ES modules.
    "import { createRequire } from 'node:module';",
    'const require = createRequire(import.meta.url);',
    inOrder(code),
    '',
  ].join('\n');
};

/** A schema that refers to others by their names. */
function standingAlone(schema: object | undefined): object {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"');
  return JSON.parse(text) as object; // as it was
}

/** How each declaration of Ajv at the top of a file begins. */
const DECLARATION =
  /^(?=export const |const (?:schema|func|pattern|formats)\d|function validate\d|validate\d+\.evaluated = )/m;

/** What Ajv calls them. */
const NUMBERED = /\b(?:schema|func|pattern|formats|validate)\d+\b/g;

/**
 * Ajv numbers what it declares in the order in which it comes across it, so that whatever is added renames and moves
 * all that follows. Here each declaration gets a name that says what it stands for, and the place of its name.
 */
function inOrder(code: string): string {
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
  return declarations
    .map((text) => text.replaceAll(NUMBERED, (name) => names.get(name) ?? name).trimEnd())
    .sort()
    .join('\n');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
