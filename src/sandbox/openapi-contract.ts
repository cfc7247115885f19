import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { OpenApiDocument } from './openapi-document.js';
import { readOperations, type Content, type Operation, type SchemaLocation } from './openapi-operations.js';
import { headerText, parameterValue, valueOf, type MessageHeaders } from './openapi-parameters.js';
import { isJsonObject } from './json-object.js';

const NAME = 'api';
/** Annotations that OpenAPI adds to JSON Schema; `x-message` is the text shown when a pattern fails. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-message'];

/** Checks values against the schemas of a document. A schema is compiled at first use. */
class SchemaChecker {
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    // Makes `x-message` reachable from an error.
    verbose: true,
    // The tests lint every document; a check against the meta-schema takes longer than all the rest.
    validateSchema: false,
  });

  constructor(document: OpenApiDocument) {
    addFormatsModule.default(this.#ajv);
    // Ajv gets the whole document as one schema, so that pointers reach every schema in it.
    const annotations = new Set([...ANNOTATIONS, ...Object.keys(document.root)]);
    for (const keyword of annotations) this.#ajv.addKeyword(keyword);
    this.#ajv.addSchema(document.root, NAME);
  }

  /** Returns the errors of a value, each beginning with the label; without a schema there are none. */
  check(label: string, location: SchemaLocation | undefined, value: unknown): string[] {
    if (location === undefined) return [];
    const validate = this.#ajv.getSchema(`${NAME}${location.pointer}`);
    if (validate === undefined) throw new Error(`${location.pointer} is not in the document.`);
    return validate(value) === true ? [] : (validate.errors ?? []).map((error) => describe(label, error));
  }
}

function describe(label: string, { instancePath, message, parentSchema }: ErrorObject): string {
  const own: unknown = isJsonObject(parentSchema) ? parentSchema['x-message'] : undefined;
  return `${label}${instancePath} ${typeof own === 'string' ? own : (message ?? 'is wrong')}`;
}

/** Operation with the decoded texts of its path parameters. */
interface PathMatch {
  readonly operation: Operation;
  readonly texts: Record<string, string>;
}

/** Finds the operation for a method (upper case) and a percent-encoded path. */
type PathMatcher = (method: string, path: string) => PathMatch | undefined;

/** Makes a matcher that prefers paths without parameters (OpenAPI 3.1, "Path Templating Matching"). */
function pathMatcher(operations: readonly Operation[], parametersWithSlashes: readonly string[]): PathMatcher {
  const candidates = operations
    .map((operation) => ({ operation, pattern: templatePattern(operation.template, parametersWithSlashes) }))
    .sort((one, other) => parameterCount(one.operation) - parameterCount(other.operation));

  return (method, path) => {
    for (const { operation, pattern } of candidates) {
      if (operation.method !== method) continue;
      const groups = pattern.exec(path)?.slice(1);
      const texts = groups && decodedTexts(operation, groups);
      if (texts !== undefined) return { operation, texts };
    }
    return undefined;
  };
}

function templatePattern(template: string, parametersWithSlashes: readonly string[]): RegExp {
  const source = template.split(/(\{[^}]+\})/).map((part) => {
    if (!part.startsWith('{')) return part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
    return parametersWithSlashes.includes(part.slice(1, -1)) ? '(.+)' : '([^/]+)';
  });
  return new RegExp(`^${source.join('')}$`);
}

function parameterNames({ template }: Operation): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

function parameterCount(operation: Operation): number {
  return parameterNames(operation).length;
}

function decodedTexts(operation: Operation, groups: readonly string[]): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      parameterNames(operation).map((name, index) => [name, decodeURIComponent(groups[index] ?? '')]),
    );
  } catch {
    return undefined;
  }
}

/** Request on arrival. */
export interface ContractRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: MessageHeaders;
  /** Text of the body, empty if there is none. */
  readonly body: string;
}

/** Request read by the contract. `violations` is empty exactly if the request keeps it. */
export interface ReadRequest {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly violations: readonly string[];
}

/** Response to check. */
export interface ContractResponse {
  readonly status: number;
  readonly headers: MessageHeaders;
  /** Parsed JSON body; undefined or an empty text if there is none. */
  readonly body: unknown;
}

/** Options for reading a document. */
export interface ContractOptions {
  /** Names of path parameters whose slashes are part of the value. */
  readonly parametersWithSlashes?: readonly string[];
}

/** Statuses that never have content, even if it is documented (RFC 9110, sections 15.3.5 and 15.4.5). */
const WITHOUT_CONTENT = new Set([204, 304]);

/** Reads requests and checks responses by an OpenAPI 3.1 document. */
export class OpenApiContract {
  static readonly #loaded = new Map<string, OpenApiContract>();

  readonly operations: readonly Operation[];
  readonly #schemas: SchemaChecker;
  readonly #match: PathMatcher;

  constructor(document: OpenApiDocument, { parametersWithSlashes = [] }: ContractOptions) {
    this.operations = readOperations(document);
    this.#match = pathMatcher(this.operations, parametersWithSlashes);
    this.#schemas = new SchemaChecker(document);
  }

  /**
   * Loads a document of the project's `openapi/` folder, such as `backend-api`, once for all sandboxes of a process,
   * because loading is most of the cost of a start. Throws if it is unusable.
   */
  static load(name: string, options: ContractOptions = {}): OpenApiContract {
    const key = JSON.stringify([name, options]);
    const loaded = OpenApiContract.#loaded.get(key);
    if (loaded !== undefined) return loaded;
    const file = new URL(`../../generated/openapi/${name}.json`, import.meta.url);
    const contract = new OpenApiContract(OpenApiDocument.read(file), options);
    OpenApiContract.#loaded.set(key, contract);
    return contract;
  }

  /** Returns the documented operation for a method and a percent-encoded path without query. */
  operationFor(method: string, path: string): Operation | undefined {
    return this.#match(method.toUpperCase(), path)?.operation;
  }

  /** Reads and checks a request; undefined if no operation is documented for it. */
  readRequest(request: ContractRequest): ReadRequest | undefined {
    const match = this.#match(request.method.toUpperCase(), request.path);
    if (match === undefined) return undefined;
    const { operation } = match;
    const parameters = this.#readParameters(match, request);
    const unknown = unknownParameters(operation, request.query);
    const body = this.#readBody(operation, request);
    const violations = [...parameters.violations, ...unknown, ...body.violations];
    return { operation, ...parameters.values, body: body.value, violations };
  }

  /** Returns the deviations of a response from the document. */
  checkResponse(operation: Operation, { status, headers, body }: ContractResponse): string[] {
    const response =
      operation.responses.get(String(status)) ??
      operation.responses.get(`${Math.floor(status / 100)}XX`) ??
      operation.responses.get('default');
    if (response === undefined) return [`status ${status} is not documented`];
    const headerViolations = response.headers.flatMap(({ name, required, schema }) => {
      const text = headerText(headers, name);
      if (text === undefined) return required ? [`header ${name} is missing`] : [];
      return this.#schemas.check(`header ${name}`, schema, valueOf(schema, text));
    });
    const empty = body === undefined || body === '';
    if (WITHOUT_CONTENT.has(status) || response.content.size === 0) {
      if (empty) return headerViolations;
      return [...headerViolations, `status ${status} is documented without a body`];
    }
    return [...headerViolations, ...this.#checkContent(response.content, headers, body)];
  }

  #readParameters({ operation, texts }: PathMatch, { query, headers }: ContractRequest) {
    const values = { path: {}, query: {}, header: {} };
    const violations = operation.parameters.flatMap((parameter) => {
      const label = `${parameter.in} parameter ${parameter.name}`;
      const value = parameterValue(parameter, { texts, query, headers });
      if (value === undefined) return parameter.required ? [`${label} is missing`] : [];
      Object.assign(values[parameter.in], { [parameter.name]: value });
      return this.#schemas.check(label, parameter.schema, value);
    });
    return { values, violations };
  }

  #readBody({ requestBody }: Operation, { body, headers }: ContractRequest): ReadBody {
    const missing = requestBody?.required === true ? ['body is missing'] : [];
    if (body === '') return { value: undefined, violations: missing };
    if (requestBody === undefined) return { value: undefined, violations: ['body is not allowed here'] };
    const value = parsedJson(body);
    if (value === undefined) return { value, violations: ['body is not JSON'] };
    return { value, violations: this.#checkContent(requestBody.content, headers, value) };
  }

  #checkContent(content: Content, headers: MessageHeaders, body: unknown): string[] {
    const mediaType = headerText(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!content.has(mediaType)) {
      return [`content type is ${JSON.stringify(mediaType)}, not ${[...content.keys()].join(' or ')}`];
    }
    return this.#schemas.check('body', content.get(mediaType), body);
  }
}

interface ReadBody {
  readonly value: unknown;
  readonly violations: readonly string[];
}

/** Parses a JSON text; undefined if invalid. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknownParameters({ parameters }: Operation, query: URLSearchParams): string[] {
  const known = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  const unknown = [...new Set(query.keys())].filter((name) => !known.has(name));
  return unknown.map((name) => `query parameter ${name} is unknown`);
}
