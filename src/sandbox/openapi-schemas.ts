import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { isJsonObject } from './json-object.js';
import type { OpenApiDocument } from './openapi-document.js';
import type { SchemaLocation } from './openapi-operations.js';

const NAME = 'api';
/** Words OpenAPI adds to JSON Schema as annotations; `x-message` is the text shown when a pattern fails. */
const ANNOTATIONS = ['components', 'externalDocs', 'example', 'xml', 'discriminator', 'x-message'];

/** Checks values against the schemas of a document. A schema is compiled when it is first needed. */
export class SchemaChecker {
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    // Makes `x-message` reachable from an error.
    verbose: true,
    // Every document is linted by the tests; holding it against the meta-schema takes longer than all the rest.
    validateSchema: false,
  });

  constructor(document: OpenApiDocument) {
    addFormatsModule.default(this.#ajv);
    // The whole document is one schema to Ajv, so that pointers reach every schema in it.
    const annotations = new Set([...ANNOTATIONS, ...Object.keys(document.root)]);
    for (const keyword of annotations) this.#ajv.addKeyword(keyword);
    this.#ajv.addSchema(document.root, NAME);
  }

  /** What is wrong with a value, each entry beginning with the label; without a schema anything is right. */
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
