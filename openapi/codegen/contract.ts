import { basename } from 'node:path';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { readDocument } from './document.js';
import { compiled, digestOf, named, withImports } from './validators.js';

/** Part of an OpenAPI 3.1 document. Its own lint holds it to OpenAPI. */
type Node = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** Path parameter whose value contains slashes: the key of a stored object. */
const WITH_SLASHES = 'key';

const TYPES = `import type { ValidateFunction } from 'ajv';

/** Documented headers or parameters and content of a message. */
export interface ContractMessage {
  readonly fields: readonly { readonly place: string; readonly name: string; readonly isList: boolean }[];
  /** Validator of all fields, by their places, which gives texts their documented types; absent without a field. */
  readonly validateFields?: ValidateFunction;
  /** Validators by media type; undefined without a body. */
  readonly content: Readonly<Record<string, ValidateFunction>> | undefined;
}

/** Documented operation. */
export interface ContractOperation extends ContractMessage {
  readonly operationId: string;
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly template: string;
  /** Matches percent-encoded paths without query; its groups are the parameters of the path. */
  readonly path: RegExp;
  /** True if it needs no credentials. */
  readonly isPublic: boolean;
  /** True if it needs a body. */
  readonly isRequired: boolean;
  /** By status, its class (\`4XX\`) or \`default\`. */
  readonly responses: Readonly<Record<string, ContractMessage>>;
}

export const operations: readonly ContractOperation[];
`;

/**
 * Code generator plugin: the operations of one OpenAPI file (`config.document`: its path), each with the validators of
 * its parameters, its bodies and the headers of its responses, for the sandbox and for tests. Those of bodies are the
 * ones of the components. A `.d.ts` file gets the type.
 */
export const plugin: PluginFunction<{ document: string }> = (_schema, _documents, { document: file }, info) => {
  const intro = `// Generated from ${file}; run \`npm run codegen\` instead of editing.`;
  if (info?.outputFile?.endsWith('.d.ts') === true) {
    return [intro, TYPES].join('\n');
  }
  const { rows, bodies, fields, components } = new OperationTable(readDocument(file) as unknown as Node);
  const code = [
    ...named(compiled(bodies, Object.keys(bodies), { allErrors: true, verbose: false })),
    // Parameters and headers are texts, which become what their schemas say.
    ...named(compiled(fields, Object.keys(fields), { allErrors: true, verbose: false, coerceTypes: true })),
  ];
  const declarations = [...new Set(code.map((text) => text.replace(/^export const/, 'const')))].sort();
  const validators = `import { ${[...components].sort().join(', ')} } from '../validators/${basename(file, '.yaml')}.js';`;
  return [intro, validators, ...withImports(declarations), 'export const operations = [', ...rows, '];', ''].join('\n');
};

/** Rows of the operations, the schemas of what is no component, and the names of the components. */
class OperationTable {
  /** Schemas of bodies, and of parameters or headers, by the names of their validators. */
  readonly bodies: Record<string, object> = {};
  readonly fields: Record<string, object> = {};
  readonly components = new Set<string>();
  readonly rows: readonly string[];
  readonly #root: Node;

  constructor(root: Node) {
    this.#root = root;
    this.rows = Object.entries(this.#at(root['paths']))
      // Paths without parameters come first (OpenAPI 3.1, "Path Templating Matching").
      .sort(([one], [other]) => one.split('{').length - other.split('{').length)
      .flatMap(([template, path]) => this.#operationsAt(template, this.#at(path)));
  }

  #operationsAt(template: string, path: Node): string[] {
    return METHODS.filter((method) => path[method] !== undefined).map((method) => {
      const operation = this.#at(path[method]);
      const { operationId, security = this.#root['security'] ?? [], requestBody } = operation;
      const facts = { operationId, method: method.toUpperCase(), template, isPublic: String(security) === '' };
      const given = [path['parameters'], operation['parameters']].flat().filter((each) => each !== undefined);
      const { required = false, content } = this.#at(requestBody);
      const parameters = given.map((parameter) => this.#at(parameter));
      const answers = Object.entries(this.#at(operation['responses'])).map(([status, response]) => {
        const { headers, content: answered } = this.#at(response);
        const described = Object.entries(this.#at(headers)).map(([name, header]) => ({
          ...this.#at(header),
          name,
          in: 'headers',
        }));
        return `    '${status}': { ${this.#fields(described)}, ${this.#content(answered)} },`;
      });
      return [
        `  { ...${JSON.stringify(facts)}, path: ${String(patternOf(template))},`,
        `  isRequired: ${String(required)}, ${this.#fields(parameters)}, ${this.#content(content)}, responses: {`,
        ...answers,
        '  } },',
      ].join('\n');
    });
  }

  /** Returns the members for parameters or headers: their types, and a validator of all of them by their places. */
  #fields(described: readonly Node[]): string {
    const places: Record<string, { type: 'object'; required: string[]; properties: Record<string, Node> }> = {};
    const fields = described.map((field) => {
      const [place, name, schema] = [String(field['in']), String(field['name']), this.#inlined(field['schema'])];
      const { required, properties } = (places[place] ??= { type: 'object', required: [], properties: {} });
      properties[name] = schema;
      if (field['required'] === true) required.push(name);
      return { place, name, isList: schema['type'] === 'array' };
    });
    if (fields.length === 0) return 'fields: []';
    return `fields: ${JSON.stringify(fields)}, validateFields: ${validatorOf({ type: 'object', properties: places }, this.fields)}`;
  }

  /** Returns the member for bodies: their validators by media type; undefined where there is no body. */
  #content(content: unknown): string {
    if (content === undefined) return 'content: undefined';
    const validators = Object.entries(this.#at(content)).map(([mediaType, media]) => {
      const schema = Object(this.#at(media)['schema']) as Node; // an object, as the lint asks
      const component = /^#\/components\/schemas\/(\w+)$/.exec(String(schema['$ref']))?.[1];
      if (component !== undefined) this.components.add(component);
      return `'${mediaType}': ${component ?? validatorOf(this.#inlined(schema), this.bodies)}`;
    });
    return `content: { ${validators.join(', ')} }`;
  }

  /** Returns a schema with those that it refers to in their places. */
  #inlined(schema: unknown): Node {
    const inline = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(inline) : typeof value === 'object' ? this.#inlined(value) : value;
    return Object.fromEntries(Object.entries(this.#at(schema)).map(([name, value]) => [name, inline(value)]));
  }

  /** Returns an object, or the one that it refers to (RFC 6901, sections 4 and 6); an empty one for anything else. */
  #at(value: unknown): Node {
    const node = Object(value) as Node;
    const { $ref: reference } = node;
    if (typeof reference !== 'string') return node;
    const names = reference.split('/').slice(1);
    return this.#at(names.reduce((inside, name) => this.#at(inside[name]), this.#root));
  }
}

/** Notes a schema. @returns the name of its validator, the same for equal schemas */
function validatorOf(schema: Node, noted: Record<string, object>): string {
  const name = `Own${digestOf(JSON.stringify(schema))}`;
  noted[name] = schema;
  return name;
}

/** Makes the pattern of percent-encoded paths, whose groups are the parameters of the path. */
function patternOf(template: string): RegExp {
  const source = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${name === WITH_SLASHES ? '.+' : '[^/]+'})`);
  return new RegExp(`^${source}$`);
}
