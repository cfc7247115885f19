/** Variables that were coerced beforehand are what graphql-js makes of them. */
import { describe, expect, it } from '@jest/globals';
import { execute, GraphQLScalarType, parse, type GraphQLSchema } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { withCoercedVariables } from '../../../src/graphql/execution/coerced-variables.js';

const typeDefs = `
  scalar JSON
  scalar Doubled
  enum Colour { RED GREEN }
  input Inner { colour: Colour = GREEN numbers: [Int!] doubled: Doubled anything: JSON }
  input Outer { inner: Inner inners: [Inner!] = [{ numbers: [7] }] colours: [[Colour]] text: String }
  type Query {
    outer(value: Outer, more: [Outer!], number: Int, colour: Colour, numbers: [Int]): String
  }
`;

/** What the resolver was given. */
function schemaThatNotes(noted: unknown[]): GraphQLSchema {
  return createSchema({
    typeDefs,
    resolvers: {
      Colour: { RED: 'inner red', GREEN: 'inner green' },
      Doubled: new GraphQLScalarType<number, number>({ name: 'Doubled', parseValue: (value) => 2 * Number(value) }),
      Query: { outer: (_root: unknown, args: unknown) => String(noted.push(args)) },
    },
  });
}

const DOCUMENT = parse(`
  query other($value: Int) { outer(number: $value) }
  query ask($value: Outer, $more: [Outer!], $number: Int = 3, $colour: Colour = RED, $numbers: [Int]) {
    outer(value: $value, more: $more, number: $number, colour: $colour, numbers: $numbers)
  }
`);

describe('an operation whose variables were coerced', () => {
  it.each([
    [{}],
    [{ value: null, more: null, number: null, colour: null, numbers: null }],
    [{ value: {}, more: [], number: 5, colour: 'GREEN', numbers: [] }],
    [{ value: { inner: {}, inners: null }, numbers: 4 }],
    [{ value: { inner: { colour: 'RED', numbers: 1, doubled: 4 }, inners: { numbers: [1, 2] } } }],
    [{ value: { colours: [['RED', null], null, 'GREEN'], text: 'x' } }],
    [{ more: { text: null }, numbers: [1, null, 2] }],
    [{ more: [{ inner: { anything: [{ a: [null, 'RED'] }] } }, { inner: { anything: null, colour: null } }] }],
    [{ value: { text: 'x' }, nobody: 'asked for this' }],
  ])('runs as it does otherwise: %j', async (variableValues) => {
    const noted: unknown[] = [];
    const schema = schemaThatNotes(noted);
    const args = { schema, document: DOCUMENT, operationName: 'ask', variableValues };
    const expected = await execute(args);
    expect(await execute(withCoercedVariables(schema, args))).toEqual({ data: { outer: '2' } });
    expect(expected).toEqual({ data: { outer: '1' } });
    expect(noted[1]).toEqual(noted[0]);
  });

  it('is not changed where it was given', () => {
    const schema = schemaThatNotes([]);
    const variableValues = { value: { colours: 'RED' } };
    const before = JSON.stringify(DOCUMENT);
    withCoercedVariables(schema, { schema, document: DOCUMENT, operationName: 'ask', variableValues });
    expect(JSON.stringify(DOCUMENT)).toBe(before);
    expect(variableValues).toEqual({ value: { colours: 'RED' } });
  });
});
