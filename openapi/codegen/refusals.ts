import { readFileSync } from 'node:fs';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { parse } from 'yaml';

/** The part of an OpenAPI 3.1 document that says how its operations refuse. */
interface RefusalDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Partial<Operation>>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/**
 * Code generator plugin: the refusals that the operations of each backend describe, by `operationId`: statuses, `4XX`
 * and `default`. `config.documents` has the path of the OpenAPI file of each backend.
 */
export const plugin: PluginFunction<{ documents: Readonly<Record<string, string>> }> = (
  _schema,
  _documents,
  { documents },
  info,
) => {
  const refusals = Object.entries(documents).map(([backend, path]) => [backend, refusalsIn(path)] as const);
  const isDeclaration = info?.outputFile?.endsWith('.d.ts') === true;
  const declared = refusals.map(([backend, operations]) => {
    const names = Object.keys(operations).map((name) => `'${name}'`);
    return `  readonly '${backend}': Readonly<Record<${names.join(' | ')}, readonly string[]>>;`;
  });
  return [
    '// Generated from openapi/; run `npm run codegen` instead of editing.',
    isDeclaration
      ? `export declare const REFUSALS: {\n${declared.join('\n')}\n};`
      : `export const REFUSALS = ${JSON.stringify(Object.fromEntries(refusals), null, 2)};`,
    '',
  ].join('\n');
};

function refusalsIn(path: string): Readonly<Record<string, readonly string[]>> {
  const { paths } = parse(readFileSync(path, 'utf8')) as RefusalDocument; // held to OpenAPI by its own lint
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    operations.flatMap(({ operationId, responses = {} }) =>
      operationId === undefined
        ? []
        : [[operationId, Object.keys(responses).filter((status) => /^4|^default$/.test(status))] as const],
    ),
  );
}
