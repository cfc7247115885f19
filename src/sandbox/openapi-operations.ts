import type { JsonObject } from './json-object.js';
import { pointerFragment, type DocumentNode, type OpenApiDocument } from './openapi-document.js';

/** Schema of the document with its location. */
export interface SchemaLocation {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** Type of the entries if the schema describes an array. */
  readonly itemType: unknown;
}

/** Documented parameter of a request. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** True if array entries are repeated parameters, not one comma-separated text. */
  readonly explode: boolean;
  readonly schema: SchemaLocation | undefined;
}

/** Documented header of a response. */
export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaLocation | undefined;
}

/** Schemas by media type; undefined if any content is allowed. */
export type Content = ReadonlyMap<string, SchemaLocation | undefined>;

/** Documented operation. */
export interface Operation {
  readonly operationId: string;
  /** Upper case. */
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly template: string;
  /** True if it needs no credentials. */
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly required: boolean; readonly content: Content } | undefined;
  /** By status: `200`, `2XX` or `default`. */
  readonly responses: ReadonlyMap<string, { readonly headers: readonly Header[]; readonly content: Content }>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** Reads every operation of a document. Throws if one has no `operationId`. */
export function readOperations(document: OpenApiDocument): Operation[] {
  const root = document.node();
  if (root === undefined) return [];
  return document.entries(root, 'paths').flatMap(([template, path]) =>
    METHODS.flatMap((method) => {
      const node = document.child(path, method);
      return node === undefined ? [] : [readOperation(document, method.toUpperCase(), template, path, node)];
    }),
  );
}

function readOperation(
  document: OpenApiDocument,
  method: string,
  template: string,
  path: DocumentNode,
  node: DocumentNode,
): Operation {
  const operationId = node.value['operationId'];
  if (typeof operationId !== 'string') throw new Error(`${method} ${template} has no operationId.`);
  const security = node.value['security'] ?? document.root['security'] ?? [];
  const body = document.child(node, 'requestBody');
  return {
    operationId,
    method,
    template,
    isPublic: Array.isArray(security) && security.length === 0,
    parameters: [path, node]
      .flatMap((owner) => document.entries(owner, 'parameters'))
      .map(([, parameter]) => readParameter(document, parameter)),
    requestBody: body && { required: body.value['required'] === true, content: readContent(document, body) },
    responses: new Map(
      document
        .entries(node, 'responses')
        .map(([status, response]) => [
          status,
          { headers: readHeaders(document, response), content: readContent(document, response) },
        ]),
    ),
  };
}

function readParameter(document: OpenApiDocument, { keys, value }: DocumentNode): Parameter {
  const { name, in: location } = value;
  if (typeof name !== 'string') throw new Error(`${pointerFragment(keys)} has no name.`);
  if (location !== 'path' && location !== 'query' && location !== 'header') {
    throw new Error(`${pointerFragment(keys)} is in an unsupported place: ${String(location)}`);
  }
  return {
    name,
    in: location,
    required: value['required'] === true,
    explode: typeof value['explode'] === 'boolean' ? value['explode'] : location === 'query',
    schema: readSchema(document, document.node(...keys, 'schema')),
  };
}

function readHeaders(document: OpenApiDocument, response: DocumentNode): Header[] {
  return document
    .entries(response, 'headers')
    .map(([name, header]) => ({
      name,
      required: header.value['required'] === true,
      schema: readSchema(document, document.child(header, 'schema')),
    }));
}

function readContent(document: OpenApiDocument, owner: DocumentNode): Content {
  return new Map(
    document
      .entries(owner, 'content')
      .map(([mediaType, media]) => [mediaType.toLowerCase(), readSchema(document, document.child(media, 'schema'))]),
  );
}

function readSchema(document: OpenApiDocument, node: DocumentNode | undefined): SchemaLocation | undefined {
  if (node === undefined) return undefined;
  return {
    pointer: pointerFragment(node.keys),
    schema: node.value,
    itemType: document.child(node, 'items')?.value['type'],
  };
}
