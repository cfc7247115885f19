/** The OpenAPI files are sound, and what they show as an example is one: pages that try requests and mocks use them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createConfig, lint } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { isJsonObject, type JsonObject } from '../../src/sandbox/json-object.js';
import { OpenApiDocument, pointerFragment } from '../../src/sandbox/openapi-document.js';
import { ROOT } from '../support/built-programs.js';

const DIRECTORY = path.join(ROOT, 'openapi');
const FILES = readdirSync(DIRECTORY).filter((name) => name.endsWith('.yaml'));

/** Something that is described by a schema: content, a parameter or a header. */
interface Described {
  readonly pointer: string;
  readonly schemaPointer: string;
  readonly examples: readonly unknown[];
}

function rootOf(file: string): JsonObject {
  return OpenApiDocument.read(new URL(`../../generated/openapi/${file.replace(/yaml$/, 'json')}`, import.meta.url))
    .root;
}

/** Everything in a document that a schema describes, wherever it stands. */
function describedIn(value: unknown, keys: readonly string[] = []): Described[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, entry]) => describedIn(entry, [...keys, key]));
  if (!isJsonObject(value) || !isJsonObject(value['schema'])) return inside;
  const { example, examples } = value;
  const named = isJsonObject(examples)
    ? Object.values(examples).map((each) => (isJsonObject(each) ? each['value'] : each))
    : [];
  const own = {
    pointer: pointerFragment(keys),
    schemaPointer: pointerFragment([...keys, 'schema']),
    examples: [...(example === undefined ? [] : [example]), ...named],
  };
  return [own, ...inside];
}

/** What in the examples of a document is not as their schemas say. */
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
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lint({ ref: path.join(DIRECTORY, file), config });
    expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ''} ${message}`)).toEqual(
      [],
    );
  });

  it('shows examples that are as their schemas say', () => {
    expect(faultsOfExamples(rootOf(file))).toEqual([]);
  });

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
