/** The published contracts of clients: the SDL and the OpenAPI file. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isEnumType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { parse } from 'yaml';
import { ERROR_STATUS } from '../../src/base/error-table.js';
import { createSchemaWithoutResolvers } from '../../src/gateway/graphql/schema.js';
import { startTestGateway } from '../support/gateway.js';
import { PUBLISHED_ERRORS } from '../support/published-errors.js';
import { closeAfterTest } from '../support/resources.js';

const PATHS = ['/schema.graphql', '/errors.json', '/openapi.json', '/openapi.yaml', '/docs', '/docs/reference.js'];
const OPENAPI = parse(readFileSync(new URL('../../openapi/gateway.yaml', import.meta.url), 'utf8')) as object; // a test's view

async function publishedBy(environment: Parameters<typeof startTestGateway>[0], production = false) {
  const gateway = closeAfterTest(await startTestGateway(environment, { production }));
  const replies = PATHS.map((path) => fetch(`${gateway.url}${path}`));
  const read = async (reply: Response) => ({
    status: reply.status,
    type: reply.headers.get('content-type'),
    text: await reply.text(),
  });
  return Promise.all(replies.map(async (reply) => read(await reply)));
}

function sorted(schema: GraphQLSchema): string {
  return printSchema(lexicographicSortSchema(schema));
}

describe('the published contract', () => {
  it.each([
    ['development', {}, false, 200],
    ['production', {}, true, 404],
    ['production with PUBLISH_SCHEMA=true', { PUBLISH_SCHEMA: 'true' }, true, 200],
    ['development with PUBLISH_SCHEMA=false', { PUBLISH_SCHEMA: 'false' }, false, 404],
  ])('in %s', async (_where, environment, production, status) => {
    const published = await publishedBy(environment, production);
    expect(published.map((reply) => reply.status)).toEqual(PATHS.map(() => status));
  });

  it('is the SDL of all files, and the OpenAPI file with the place where the gateway is', async () => {
    const [schema, errors, json, yaml, page, script] = await publishedBy({ BASE_PATH: '/fleet' });
    expect(schema?.type).toBe('text/plain; charset=utf-8');
    expect(sorted(buildSchema(schema?.text ?? ''))).toBe(sorted(createSchemaWithoutResolvers()));
    expect([errors?.type, JSON.parse(errors?.text ?? '')]).toEqual([
      'application/json; charset=utf-8',
      PUBLISHED_ERRORS,
    ]);
    const described = { ...OPENAPI, servers: [{ url: '/fleet' }] };
    expect([json?.type, JSON.parse(json?.text ?? '')]).toEqual(['application/json; charset=utf-8', described]);
    expect([yaml?.type, parse(yaml?.text ?? '')]).toEqual(['application/yaml', described]);
    expect(page?.text).toMatch(/<script src="\/fleet\/docs\/reference\.js\?v=[\w-]{43}">/);
    expect(script?.type).toBe('text/javascript; charset=utf-8');
  });

  it('is what introspection tells, descriptions included, but for the directives that fields carry', async () => {
    const gateway = closeAfterTest(await startTestGateway());
    const everything = getIntrospectionQuery({
      schemaDescription: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
    });
    const { data, errors } = await gateway.graphql(everything);
    expect(errors).toBeUndefined();
    const told = buildClientSchema(data as unknown as IntrospectionQuery); // as the query asks
    const published = await (await fetch(`${gateway.url}/schema.graphql`)).text();
    expect(sorted(told)).toBe(sorted(buildSchema(published)));
    expect(sorted(told)).toContain('the driving day is its calendar day');
  });

  it('says of every scalar of its own what a front end receives', () => {
    const read = (name: string): string => readFileSync(new URL(`../../generated/${name}`, import.meta.url), 'utf8');
    const types = JSON.parse(read('scalars.json')) as Record<string, string>; // a test's view
    const own = Object.values(buildSchema(read('schema.graphql')).getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    expect(Object.keys(types).sort()).toEqual(own.map(({ name }) => name).sort());
    expect(types).toEqual({ DateTime: 'string', JSON: 'unknown' });
  });

  it('names every error code with its status, and no other', () => {
    const type = createSchemaWithoutResolvers().getType('ErrorCode');
    const values = isEnumType(type) ? type.getValues() : [];
    expect(
      Object.fromEntries(values.map(({ name, description }) => [name, /\((\d{3})\)/.exec(description ?? '')?.[1]])),
    ).toEqual(Object.fromEntries(Object.entries(ERROR_STATUS).map(([code, status]) => [code, String(status)])));
  });
});
