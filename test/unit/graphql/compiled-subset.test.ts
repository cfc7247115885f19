/** Operations that come often are compiled. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { extendSchema, getOperationAST, parse, print, validate } from 'graphql';
import { flatOperation } from '../../../src/gateway/graphql/execution/compiled-subset.js';
import { WORKLOADS } from '../../bench/requests/workloads.js';
import { unservedSchema } from '../../support/job-table.js';

const FRONT_END = 'test/examples/front-end/generated/persisted-documents.json';

const FRONT_END_DOCUMENTS = JSON.parse(readFileSync(FRONT_END, 'utf8')) as Readonly<Record<string, string>>;

// The gateway has no non-null root field.
const schema = extendSchema(unservedSchema(), parse('extend type Query { certain: String! }'));
for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.resolve ??= () => undefined;

function isCompiled(text: string): boolean {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error(`There is no such operation in ${text}`);
  return flatOperation(schema, document, operation) !== undefined;
}

describe('the operations', () => {
  it.each([
    // A callback has a path in its place.
    ['of the benchmark', Object.values(WORKLOADS).flatMap(({ query }) => (query.startsWith('/') ? [] : [query]))],
    ['of the example front end', Object.values(FRONT_END_DOCUMENTS)],
  ])('%s are compiled', (_, documents) => {
    expect(documents.length).toBeGreaterThan(1);
    for (const document of documents)
      expect({ document, isCompiled: isCompiled(document) }).toEqual({ document, isCompiled: true });
  });

  it.each([
    ['a directive', '{ me { Org @include(if: true) } }'],
    ['an interface', '{ jobs { edges { node { jobId } } } }'],
    ['a variable within a list', 'query ($tag: ID!) { mobiles(tagIds: [$tag]) { pageInfo { hasNextPage } } }'],
    ['a nullable variable at a non-null place', 'query ($id: ID = 1) { mobile(id: $id) { id } }'],
    ['several root fields of which one is non-null', '{ certain me { Org } }'],
    ['several mutations', 'mutation { a: cancelJob(jobId: "1") { jobId } b: cancelJob(jobId: "2") { jobId } }'],
    ['an object in the document', 'mutation { startBulkUpdateMobile(items: [{ id: 1 }]) { jobId } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['names with underscores', '{ a_b: me { Org } }'],
    ['names that literals cannot have', '{ __proto__: me { Org } }'],
    ['more selections than are worth it', `{ me { ${'Org '.repeat(600)} } }`],
  ])('with %s are left to graphql-js', (_, document) => expect(isCompiled(document)).toBe(false));

  it('are written flat as graphql-js collects their fields', () => {
    const text = `query ($id: ID!) {
      fetchBulkUpdateMobileStatus(jobId: $id) {
        ... on JobStatus { status ... on DrivingReportsStatus { key } ...Both ... on BulkUpdateMobileStatus { x: status } }
        progress { done } ...Both
      }
    }
    fragment Both on JobStatus { progress { total done } jobId }`;
    const document = parse(text);
    const operation = getOperationAST(document);
    const flat = operation && flatOperation(schema, document, operation);
    expect(flat && print(flat.operation)).toBe(
      print(
        parse(`query ($id: ID!) {
          fetchBulkUpdateMobileStatus(jobId: $id) { status progress { total done } jobId x: status }
        }`),
      ),
    );
  });
});
