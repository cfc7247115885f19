import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { isJsonObject, OpenApiDocument } from './openapi-document.js';
import type { Content, Operation, Parameter, SchemaLocation } from './openapi-operations.js';
import { readOperations } from './openapi-operations.js';
import type { MessageHeaders } from './openapi-parameters.js';
import { headerText, parameterValue, valueOf } from './openapi-parameters.js';
import { pathMatcher } from './openapi-paths.js';

export type { Operation } from './openapi-operations.js';
export type { MessageHeaders } from './openapi-parameters.js';

/** A request as it arrived. */
export interface ContractRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: MessageHeaders;
  /** Text of the body, empty when there is none. */
  readonly body: string;
}

/** A request read by the contract. `violations` is empty exactly when the request keeps it. */
export interface ReadRequest {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly violations: readonly string[];
}

/** A response to be checked. */
export interface ContractResponse {
  readonly status: number;
  readonly headers: MessageHeaders;
  /** The parsed value of a JSON body; undefined or an empty text when there is no body. */
  readonly body: unknown;
}

/** How a document is read. */
export interface ContractOptions {
  /** Names of path parameters whose slashes are part of the value. */
  readonly parametersWithSlashes?: readonly string[];
}

const NAME = 'api';
/** Words OpenAPI adds to JSON Schema as annotations; `x-message` is the text shown when a pattern fails. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-message'];
/** RFC 9110, sections 15.3.5 and 15.4.5: these never have content, whatever else is documented. */
const WITHOUT_CONTENT = new Set([204, 304]);

/** Checks HTTP messages against an OpenAPI 3.1 document. Schemas are compiled when they are first needed. */
export class OpenApiContract {
  readonly operations: readonly Operation[];
  readonly #ajv: Ajv2020;
  readonly #match: (method: string, path: string) => { operation: Operation; texts: Record<string, string> } | undefined;

  private constructor(document: OpenApiDocument, { parametersWithSlashes = [] }: ContractOptions) {
    this.operations = readOperations(document);
    this.#match = pathMatcher(this.operations, parametersWithSlashes);
    this.#ajv = new Ajv2020({
      strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true, verbose: true, allErrors: true,
    });
    addFormatsModule.default(this.#ajv);
    // The whole document is one schema to Ajv, so that pointers reach every schema in it.
    for (const keyword of new Set([...ANNOTATIONS, ...Object.keys(document.root)])) this.#ajv.addKeyword(keyword);
    this.#ajv.addSchema(document.root, NAME);
  }

  /** Reads a document of the project's `openapi/` folder, such as `backend-api`. Throws when it is unusable. */
  static load(name: string, options: ContractOptions = {}): OpenApiContract {
    return new OpenApiContract(OpenApiDocument.read(new URL(`../../openapi/${name}.yaml`, import.meta.url)), options);
  }

  /** The operation for a method and a path (percent-encoded, without query), or undefined when none is documented. */
  operationFor(method: string, path: string): Operation | undefined {
    return this.#match(method.toUpperCase(), path)?.operation;
  }

  /** Reads and checks a request; undefined when no operation is documented for it. */
  readRequest(request: ContractRequest): ReadRequest | undefined {
    const match = this.#match(request.method.toUpperCase(), request.path);
    if (match === undefined) return undefined;
    const { operation, texts } = match;
    const violations: string[] = [];
    const values = { path: {}, query: {}, header: {} } satisfies Record<Parameter['in'], Record<string, unknown>>;
    for (const parameter of operation.parameters) {
      const label = `${parameter.in} parameter ${parameter.name}`;
      const value = parameterValue(parameter, { texts, query: request.query, headers: request.headers });
      if (value === undefined) {
        if (parameter.required) violations.push(`${label} is missing`);
        continue;
      }
      Object.assign(values[parameter.in], { [parameter.name]: value });
      violations.push(...this.#check(label, parameter.schema, value));
    }
    violations.push(...unknownParameters(operation, request.query));
    const body = this.#readBody(operation, request, violations);
    return { operation, ...values, body, violations };
  }

  /** What in a response is not as documented; empty when all is. */
  checkResponse(operation: Operation, { status, headers, body }: ContractResponse): string[] {
    const response = operation.responses.get(String(status)) ??
      operation.responses.get(`${Math.floor(status / 100)}XX`) ?? operation.responses.get('default');
    if (response === undefined) return [`status ${status} is not documented`];
    const headerViolations = response.headers.flatMap(({ name, required, schema }) => {
      const text = headerText(headers, name);
      if (text === undefined) return required ? [`header ${name} is missing`] : [];
      return this.#check(`header ${name}`, schema, valueOf(schema, text));
    });
    const empty = body === undefined || body === '';
    if (WITHOUT_CONTENT.has(status) || response.content.size === 0) {
      return empty ? headerViolations : [...headerViolations, `status ${status} is documented without a body`];
    }
    return [...headerViolations, ...this.#checkContent(response.content, headers, body)];
  }

  #readBody(operation: Operation, request: ContractRequest, violations: string[]): unknown {
    if (operation.requestBody === undefined) {
      if (request.body !== '') violations.push('body is not allowed here');
      return undefined;
    }
    if (request.body === '') {
      if (operation.requestBody.required) violations.push('body is missing');
      return undefined;
    }
    try {
      const body: unknown = JSON.parse(request.body);
      violations.push(...this.#checkContent(operation.requestBody.content, request.headers, body));
      return body;
    } catch {
      violations.push('body is not JSON');
      return undefined;
    }
  }

  #checkContent(content: Content, headers: MessageHeaders, body: unknown): string[] {
    const mediaType = headerText(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!content.has(mediaType)) {
      return [`content type is ${JSON.stringify(mediaType)}, not ${[...content.keys()].join(' or ')}`];
    }
    return this.#check('body', content.get(mediaType), body);
  }

  #check(label: string, location: SchemaLocation | undefined, value: unknown): string[] {
    if (location === undefined) return [];
    const validate = this.#ajv.getSchema(`${NAME}${location.pointer}`);
    if (validate === undefined) throw new Error(`${location.pointer} is not in the document.`);
    return validate(value) === true ? [] : (validate.errors ?? []).map((error) => describe(label, error));
  }
}

function unknownParameters({ parameters }: Operation, query: URLSearchParams): string[] {
  const known = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  return [...new Set(query.keys())].filter((name) => !known.has(name)).map((name) => `query parameter ${name} is unknown`);
}

function describe(label: string, { instancePath, message, parentSchema }: ErrorObject): string {
  const own: unknown = isJsonObject(parentSchema) ? parentSchema['x-message'] : undefined;
  return `${label}${instancePath} ${typeof own === 'string' ? own : (message ?? 'is wrong')}`;
}
