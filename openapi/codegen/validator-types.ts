import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { readDocument, schemaNames } from './document.js';

/** Code generator plugin: declarations of the standalone validators (`config.name`: the OpenAPI file's name). */
export const plugin: PluginFunction<{ name: string }> = (_schema, _documents, { name }) => {
  const path = `./openapi/${name}.yaml`;
  const declarations = schemaNames(readDocument(path)).map(
    (schema) => `export const ${schema}: ValidateFunction<components['schemas']['${schema}']>;`,
  );
  return [
    `// Generated from ${path}; run \`npm run codegen\` instead of editing.`,
    "import type { ValidateFunction } from 'ajv';",
    `import type { components } from '../${name}.js';`,
    '',
    ...declarations,
    '',
  ].join('\n');
};
