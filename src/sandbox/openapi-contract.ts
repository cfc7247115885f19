import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { packageFile } from '../base/package-file.js';
import { percentDecoded } from '../base/wire/decode-utf8.js';
import { jsonIn } from '../base/wire/json-content.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Documented operation. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly template: string;
  /** Matches percent-encoded paths without query; its groups are the parameters of the path. */
  readonly path: RegExp;
  /** True if it needs no credentials. */
  readonly isPublic: boolean;
  readonly parameters: readonly JsonObject[];
  /** Operation object of the document. */
  readonly node: JsonObject;
}

/** Headers by their names in lower case. */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

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
  readonly operation: ContractOperation;
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly header: JsonObject;
  readonly body: unknown;
  readonly violations: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** Annotations that OpenAPI adds to JSON Schema; `x-reason` names a row of the error table. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-reason'];

/** Path parameter whose value contains slashes: the key of a stored object. */
const WITH_SLASHES = 'key';

/**
 * Reads requests by an OpenAPI 3.1 document with references inside the file only. It is our own, because
 * openapi-backend refuses the documents of this project.
 */
export class OpenApiContract {
  static readonly #loaded = new Map<string, OpenApiContract>();

  readonly operations: readonly ContractOperation[];
  readonly #root: JsonObject;
  readonly #validators = new Map<JsonObject, ValidateFunction>();
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    // The tests lint every document; a check against the meta-schema takes longer than all the rest.
    validateSchema: false,
  });

  constructor(root: JsonObject) {
    this.#root = root;
    addFormatsModule.default(this.#ajv);
    for (const keyword of ANNOTATIONS) this.#ajv.addKeyword(keyword);
    this.operations = Object.entries(this.at(root['paths']))
      // Paths without parameters come first (OpenAPI 3.1, "Path Templating Matching").
      .sort(([one], [other]) => one.split('{').length - other.split('{').length)
      .flatMap(([template, path]) => this.#operationsAt(template, this.at(path)));
  }

  /** Loads a generated document, such as `backend-api`, once for all sandboxes of a process. */
  static load(name: string): OpenApiContract {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const file = packageFile(`generated/openapi/${name}.json`);
    const contract = new OpenApiContract(JSON.parse(readFileSync(file, 'utf8')) as JsonObject); // written by codegen
    this.#loaded.set(name, contract);
    return contract;
  }

  /** Reads and checks a request; undefined if no operation is documented for it. */
  readRequest({ method, path, query, headers, body: text }: ContractRequest): ReadRequest | undefined {
    const match = this.match(method, path);
    if (match === undefined) return undefined;
    const { operation, texts } = match;
    const values: Record<string, Record<string, unknown>> = {};
    const unknown = new Set(query.keys());
    const ofParameters = operation.parameters.flatMap((parameter) => {
      const [name, place, schema] = [String(parameter['name']), String(parameter['in']), this.at(parameter['schema'])];
      if (place === 'query') unknown.delete(name);
      const label = `${place} parameter ${name}`;
      const given = place === 'path' ? texts[name] : headerText(headers, name);
      const value =
        place === 'query' ? this.#queryValue(schema, query.getAll(name)) : given && this.valueOf(schema, given);
      if (value === undefined) return parameter['required'] === true ? [`${label} is missing`] : [];
      (values[place] ??= {})[name] = value;
      return this.check(label, schema, value);
    });
    const ofQuery = [...unknown].map((name) => `query parameter ${name} is unknown`);
    const body = text === '' ? undefined : jsonIn(text);
    const violations = [...ofParameters, ...ofQuery, ...this.#bodyViolations(operation, text, body, headers)];
    const { path: inPath = {}, query: inQuery = {}, header = {} } = values;
    return { operation, path: inPath, query: inQuery, header, body, violations };
  }

  #operationsAt(template: string, path: JsonObject): ContractOperation[] {
    return METHODS.filter((method) => path[method] !== undefined).map((method) => {
      const node = this.at(path[method]);
      const { operationId, security = this.#root['security'] ?? [] } = node;
      return {
        operationId: String(operationId),
        method: method.toUpperCase(),
        template,
        path: patternOf(template),
        isPublic: Array.isArray(security) && security.length === 0,
        parameters: [path['parameters'], node['parameters']]
          .flatMap((list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []))
          .map((parameter) => this.at(parameter)),
        node,
      };
    });
  }

  /** Returns an object, or the one that it refers to (RFC 6901, sections 4 and 6); an empty one for anything else. */
  protected at(value: unknown): JsonObject {
    if (!isJsonObject(value)) return {};
    const { $ref: reference } = value;
    if (typeof reference !== 'string') return value;
    const names = reference.split('/').slice(1);
    return this.at(names.reduce((node, name) => this.at(node[name]), this.#root));
  }

  protected match(method: string, path: string) {
    for (const operation of this.operations) {
      const match = operation.method === method.toUpperCase() ? operation.path.exec(path) : null;
      const texts = match && decoded(match.groups ?? {});
      if (texts) return { operation, texts };
    }
    return undefined;
  }

  /** A repeated parameter stays a list, which the schema refuses. */
  #queryValue(schema: JsonObject, [first, ...others]: readonly string[]): unknown {
    if (first === undefined) return undefined;
    return others.length > 0 ? [first, ...others] : this.valueOf(schema, first);
  }

  /** Converts the text of a parameter or header to the type of its schema; lists are comma-separated. */
  protected valueOf(schema: JsonObject, text: string): unknown {
    if (schema['type'] !== 'array') return typed(text, schema['type']);
    return text.split(',').map((entry) => typed(entry, this.at(schema['items'])['type']));
  }

  #bodyViolations({ node }: ContractOperation, text: string, body: unknown, headers: MessageHeaders): string[] {
    const documented = this.at(node['requestBody']);
    if (text === '') return documented['required'] === true ? ['body is missing'] : [];
    if (node['requestBody'] === undefined) return ['body is not allowed here'];
    return body === undefined ? ['body is not JSON'] : this.checkContent(documented, headers, body);
  }

  /** Checks a body against the documented content of a request or response. */
  protected checkContent(owner: JsonObject, headers: MessageHeaders, body: unknown): string[] {
    const content = this.at(owner['content']);
    const mediaType = headerText(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    const media = content[mediaType];
    if (media !== undefined) return this.check('body', this.at(this.at(media)['schema']), body);
    return [`content type is ${JSON.stringify(mediaType)}, not ${Object.keys(content).join(' or ')}`];
  }

  /** Returns the errors of a value, each beginning with the label. A schema is compiled at first use. */
  protected check(label: string, schema: JsonObject, value: unknown): string[] {
    const { components } = this.#root;
    const validate = this.#validators.get(schema) ?? this.#ajv.compile({ ...schema, components });
    this.#validators.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = 'is wrong' }) => `${label}${instancePath} ${message}`,
    );
  }
}

function patternOf(template: string): RegExp {
  const source = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${name === WITH_SLASHES ? '.+' : '[^/]+'})`);
  return new RegExp(`^${source}$`);
}

/** Decodes the parameters of a path; undefined if they are not percent-encoded. */
function decoded(texts: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> | undefined {
  const values = Object.entries(texts).map(([name, text]) => [name, percentDecoded(text)] as const);
  return values.every(([, text]) => text !== undefined) ? Object.fromEntries(values) : undefined;
}

/** Invalid numbers and booleans stay texts, so that the schema refuses them. */
function typed(text: string, type: unknown): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Returns the text of a header; repeated ones are joined (RFC 9110, section 5.3). */
export function headerText(headers: MessageHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}
