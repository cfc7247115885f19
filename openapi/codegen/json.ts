import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { readDocument } from './document.js';

/**
 * Code generator plugin: an OpenAPI file (`config.document`: its path) as JSON, for programs: to read YAML takes a
 * large part of a start in development.
 */
export const plugin: PluginFunction<{ document: string }> = (_schema, _documents, { document }) =>
  `${JSON.stringify(readDocument(document), null, 2)}\n`;
