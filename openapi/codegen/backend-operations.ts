import { readFileSync } from 'node:fs';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { parse } from 'yaml';

/** The part of an OpenAPI 3.1 document that says where its operations are and how they refuse. */
interface OperationDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Partial<Operation>>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/**
 * Code generator plugin: the operations of each backend by `operationId`, with method, path template and the refusals
 * that they describe: statuses, `4XX` and `default`. `config.documents` has the path of each backend's OpenAPI file.
 */
export const plugin: PluginFunction<{ documents: Readonly<Record<string, string>> }> = (
  _schema,
  _documents,
  { documents },
  info,
) => {
  const backends = Object.entries(documents).map(([backend, path]) => [backend, operationsIn(path)] as const);
  const isDeclaration = info?.outputFile?.endsWith('.d.ts') === true;
  const declared = backends.map(([backend, operations]) => {
    const names = Object.keys(operations).map((name) => `'${name}'`);
    return `  readonly '${backend}': Readonly<Record<${names.join(' | ')}, BackendOperation>>;`;
  });
  const type = '{ readonly method: string; readonly path: string; readonly refusals: readonly string[] }';
  return [
    '// Generated from openapi/; run `npm run codegen` instead of editing.',
    isDeclaration
      ? `export type BackendOperation = ${type};\nexport declare const BACKEND_OPERATIONS: {\n${declared.join('\n')}\n};`
      : `export const BACKEND_OPERATIONS = ${JSON.stringify(Object.fromEntries(backends), null, 2)};`,
    '',
  ].join('\n');
};

function operationsIn(file: string) {
  const { paths } = parse(readFileSync(file, 'utf8')) as OperationDocument; // held to OpenAPI by its own lint
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses = {} }]) => {
      if (operationId === undefined) return [];
      const refusals = Object.keys(responses).filter((status) => /^4|^default$/.test(status));
      return [[operationId, { method: method.toUpperCase(), path, refusals }] as const];
    }),
  );
  return Object.fromEntries(operations);
}
