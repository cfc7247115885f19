import { pathToFileURL } from 'node:url';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import openapiTS, { astToString } from 'openapi-typescript';

/** Code generator plugin: TypeScript types of one OpenAPI file (`config.document`: its path). */
export const plugin: PluginFunction<{ document: string }> = async (_schema, _documents, config) => {
  const types = await openapiTS(pathToFileURL(config.document), { immutable: true, alphabetize: false });
  return `// Generated from ${config.document}; run \`npm run codegen\` instead of editing.\n${astToString(types)}`;
};
