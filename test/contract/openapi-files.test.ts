/** The OpenAPI files are sound, and what they show as an example is one: pages that try requests and mocks use them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createConfig, lint } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { buildSchema, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { isObject } from '../../src/jobs/record/stored-fields.js';
import { ROOT } from '../support/built-programs.js';

type JsonObject = Readonly<Record<string, unknown>>;

const DIRECTORY = path.join(ROOT, 'openapi');
const FILES = readdirSync(DIRECTORY).filter((name) => name.endsWith('.yaml'));

/** Something that is described by a schema: content, a parameter or a header. */
interface Described {
  readonly pointer: string;
  readonly schemaPointer: string;
  readonly examples: readonly unknown[];
}

function rootOf(file: string): JsonObject {
  const text = readFileSync(path.join(ROOT, 'generated/openapi', file.replace(/yaml$/, 'json')), 'utf8');
  return JSON.parse(text) as JsonObject; // the generator writes nothing else
}

function schemaOf(file: string, name: string): JsonObject {
  const { components } = rootOf(file) as { components: { schemas: Record<string, JsonObject | undefined> } };
  return components.schemas[name] ?? {};
}

/** The URI fragment form of a JSON pointer (RFC 6901, section 6). */
function pointerFragment(keys: readonly string[]): string {
  const parts = keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${parts.join('/')}`;
}

/** Everything in a document that a schema describes, wherever it stands. */
function describedIn(value: unknown, keys: readonly string[] = []): Described[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, entry]) => describedIn(entry, [...keys, key]));
  if (!isObject(value) || !isObject(value['schema'])) return inside;
  const { example, examples } = value;
  const named = isObject(examples)
    ? Object.values(examples).map((each) => (isObject(each) ? each['value'] : each))
    : [];
  const own = {
    pointer: pointerFragment(keys),
    schemaPointer: pointerFragment([...keys, 'schema']),
    examples: [...(example === undefined ? [] : [example]), ...named],
  };
  return [own, ...inside];
}

/** Faults of the examples of a document against their schemas. */
function faultsOfExamples(root: JsonObject): string[] {
  // OpenAPI has keywords of its own, which say nothing about values.
  const ajv = new Ajv2020({ strict: false });
  addFormatsModule.default(ajv);
  ajv.addSchema(root, 'api');
  return describedIn(root).flatMap(({ pointer, schemaPointer, examples }) => {
    const validate = ajv.compile({ $ref: `api${schemaPointer}` });
    return examples.flatMap((example) => (validate(example) ? [] : [`${pointer}: ${ajv.errorsText(validate.errors)}`]));
  });
}

describe.each(FILES)('openapi/%s', (file) => {
  it('is without errors and warnings of the recommended rules', async () => {
    // A condition may require what is defined beside it.
    const rules = { 'no-required-schema-properties-undefined': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lint({ ref: path.join(DIRECTORY, file), config });
    expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ''} ${message}`)).toEqual(
      [],
    );
  });

  it('shows examples that are as their schemas say', () => expect(faultsOfExamples(rootOf(file))).toEqual([]));

  it('shows an example of everything that is sent as JSON', () => {
    const without = describedIn(rootOf(file)).filter(({ examples }) => examples.length === 0);
    expect(without.map(({ pointer }) => pointer).filter((pointer) => pointer.endsWith('application~1json'))).toEqual(
      [],
    );
  });
});

describe('openapi/gateway.yaml', () => {
  it('shows an example of every parameter and every header', () => {
    expect(describedIn(rootOf('gateway.yaml')).filter(({ examples }) => examples.length === 0)).toEqual([]);
  });
});

/** Fields that the gateway adds. */
const OWN: readonly string[] = ['OtpDelivery.isRepeated'];

/** Types of the SDL whose fields come from a backend, with the schema they come from and names that differ there. */
const FROM_BACKENDS: readonly (readonly [type: string, file: string, schema: string, names?: object])[] = [
  ['LoginResult', 'backend-api.yaml', 'LoginReply'],
  ['Session', 'backend-api.yaml', 'Session'],
  ['OtpDelivery', 'backend-api.yaml', 'OtpDelivery'],
  ['Mobile', 'backend-api.yaml', 'Mobile'],
  ['Position', 'backend-api.yaml', 'Position', { latitude: 'lat', longitude: 'lng' }],
  ['Tag', 'backend-api.yaml', 'Tag'],
  ['UserAccount', 'backend-api.yaml', 'UserAccount'],
  ['Voice', 'voip-api.yaml', 'Presence'],
];

/** Types in a backend's reply of the leaf types of the SDL. */
const LEAVES: Readonly<Record<string, JsonObject>> = {
  ID: { $ref: '#/components/schemas/Identifier' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};

describe.each(FROM_BACKENDS)('%s of the SDL', (typeName, file, schemaName, given = {}) => {
  const names = given as Readonly<Record<string, string>>; // as above
  const type = buildSchema(readFileSync(path.join(ROOT, 'generated/schema.graphql'), 'utf8')).getType(typeName);
  const { required, properties } = schemaOf(file, schemaName);
  const all = isObjectType(type) ? Object.values(type.getFields()) : [];
  const fields = all.filter(({ name }) => !OWN.includes(`${typeName}.${name}`));

  it('promises what the contract does', () => {
    const promised = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => names[name] ?? name);
    expect(promised).not.toEqual([]);
    expect(required).toEqual(expect.arrayContaining(promised));
  });

  it('can hold every value that the contract allows', () => {
    const leaves = fields.flatMap((field) => {
      const leaf = isNonNullType(field.type) ? LEAVES[getNamedType(field.type).name] : undefined;
      return leaf === undefined ? [] : [[names[field.name] ?? field.name, expect.objectContaining(leaf)] as const];
    });
    expect(properties).toEqual(expect.objectContaining(Object.fromEntries(leaves)));
  });
});

it('ids of created accounts are as large as those the SDL lists', () => {
  expect(schemaOf('backend-api.yaml', 'CreatedUserAccount')['properties']).toMatchObject({ id: LEAVES['ID'] });
});

describe('an example that is none', () => {
  it('is found wherever it stands', () => {
    const schema = { type: 'integer' };
    const content = { 'application/json': { schema, examples: { right: { value: 1 }, wrong: { value: '1' } } } };
    const root = {
      paths: { '/a': { parameters: [{ schema, example: 'one' }], get: { responses: { '200': { content } } } } },
    };
    expect(faultsOfExamples(root)).toEqual([
      expect.stringContaining('#/paths/~1a/parameters/0: data must be integer'),
      expect.stringContaining('application~1json: data must be integer'),
    ]);
  });
});
