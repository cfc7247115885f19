import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The part of an OpenAPI 3.1 document that the generators read. */
export interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Reads an OpenAPI file (`path` relative to the project root). Throws when it holds no component schemas. */
export function readDocument(path: string): OpenApiDocument {
  const document: unknown = parse(readFileSync(path, 'utf8'));
  if (!hasSchemas(document)) throw new Error(`${path}: components.schemas is missing`);
  return document;
}

/** Names of the component schemas, sorted so that the output does not depend on the order in the file. */
export function schemaNames(document: OpenApiDocument): string[] {
  return Object.keys(document.components.schemas).sort();
}

function hasSchemas(document: unknown): document is OpenApiDocument {
  return (
    typeof document === 'object' &&
    document !== null &&
    'components' in document &&
    typeof document.components === 'object' &&
    document.components !== null &&
    'schemas' in document.components
  );
}
