import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { readDocument, schemaNames } from './document.js';

/** Words OpenAPI adds to JSON Schema as annotations; `x-message` is the text shown when a pattern fails. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-message'];

/**
 * Code generator plugin: standalone Ajv validators of every component schema of one OpenAPI file, so that
 * nothing is compiled at start-up and no `eval` runs in the server. Values are never coerced.
 */
export const plugin: PluginFunction<{ document: string }> = (_schema, _documents, { document: path }) => {
  const document = readDocument(path);
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
    code: { source: true, esm: true, lines: true },
  });
  addFormatsModule.default(ajv);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  ajv.addSchema({ $id: 'api', components: { schemas: document.components.schemas } });

  const exports = Object.fromEntries(schemaNames(document).map((name) => [name, `api#/components/schemas/${name}`]));
  return [
    `// Generated from ${path}; run \`npm run codegen\` instead of editing.`,
    // Ajv emits CommonJS requires of its own run-time parts into ES modules.
    "import { createRequire } from 'node:module';",
    'const require = createRequire(import.meta.url);',
    standaloneModule.default(ajv, exports),
    '',
  ].join('\n');
};
