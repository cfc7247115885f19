/** Many variables are coerced as graphql-js coerces few, faults included. */
import { describe, expect, it } from '@jest/globals';
import { getOperationAST, GraphQLScalarType, parse } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { coerceManyVariables, coerceVariables } from '../../../src/graphql/execution/coerced-variables.js';

const schema = createSchema({
  typeDefs: `
    scalar JSON
    scalar Doubled
    enum Colour { RED GREEN }
    input Inner { colour: Colour = GREEN numbers: [Int!] doubled: Doubled anything: JSON }
    input Outer { inner: Inner inners: [Inner!] = [{ numbers: [7] }] colours: [[Colour]] text: String }
    input Item { id: Int! tags: [Int!] }
    input Either @oneOf { id: Int text: String }
    type Query { asked: String }
  `,
  resolvers: {
    Colour: { RED: 'inner red', GREEN: 'inner green' },
    Doubled: new GraphQLScalarType<number, number>({
      name: 'Doubled',
      parseValue(value) {
        if (typeof value !== 'number') throw new Error('It is no number.');
        return 2 * value;
      },
    }),
  },
});

const operation = getOperationAST(
  parse(`query (
    $value: Outer, $more: [Outer!], $number: Int = 3, $colour: Colour = RED, $numbers: [Int], $items: [Item!]! = []
    $either: Either, $flag: Boolean, $id: ID, $ratio: Float
  ) { asked }`),
);

const wrongItems = Array.from({ length: 30 }, (_, id) => ({ id: String(id) }));

describe('variables', () => {
  it.each<[Readonly<Record<string, unknown>>]>([
    [{}],
    [{ value: null, more: null, number: null, colour: null, numbers: null }],
    [{ value: {}, more: [], number: 5, colour: 'GREEN', numbers: [] }],
    [{ value: { inner: {}, inners: null }, numbers: 4 }],
    [{ value: { inner: { colour: 'RED', numbers: 1, doubled: 4 }, inners: { numbers: [1, 2] } } }],
    [{ value: { colours: [['RED', null], null, 'GREEN'], text: 'x' } }],
    [{ more: { text: null }, numbers: [1, null, 2] }],
    [{ more: [{ inner: { anything: [{ a: [null, 'RED'] }] } }, { inner: { anything: null, colour: null } }] }],
    [{ value: { text: 'x' }, unknown: 'name' }],
    [{ either: { id: 1 }, flag: true, id: 7, ratio: 1 }],
    [{ items: null }],
    [{ items: [{ id: 1 }, null, { tags: [1] }, { id: 2, tags: [1, '2', null] }, 'x', { id: 1, more: 1 }] }],
    [{ items: wrongItems.slice(0, 10) }],
    [{ items: wrongItems.slice(0, 11) }],
    [{ items: wrongItems, number: 'x' }],
    [{ number: 'x', items: wrongItems.slice(0, 9), flag: 1 }],
    [{ items: [Object.fromEntries(wrongItems.map((_, index) => [`name${index}`, index]))] }],
    [{ value: { inner: { doubled: 'x', colour: 'BLUE' }, inners: [{ numbers: [1.5] }], text: 5 }, colour: 'PINK' }],
    [{ either: {}, number: 2 ** 31 }],
    [{ either: { id: 1, text: 'x' }, value: [], more: [[]] }],
    [{ more: [{ inner: { numbers: [2 ** 31, -(2 ** 31) - 1] } }], ratio: 'x', id: {}, flag: null }],
  ])('are coerced and refused alike: %j', (variables) => {
    if (!operation) throw new Error('There is no operation.');
    const given = JSON.stringify(variables);
    const many = coerceManyVariables(schema, operation, variables);
    expect(JSON.stringify(many)).toBe(JSON.stringify(coerceVariables(schema, operation, variables)));
    expect(JSON.stringify(variables)).toBe(given);
  });
});
