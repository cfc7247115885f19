/** The guard around protected fields, and where the directive may not stand. */
import { describe, expect, it } from '@jest/globals';
import { buildSchema, graphql, type GraphQLSchema } from 'graphql';
import { guardSchema, isProtected } from '../../../src/gateway/auth/guard.js';

const schemaOf = (sdl: string): GraphQLSchema => buildSchema(`directive @isAuthenticated on FIELD_DEFINITION ${sdl}`);

describe('a protected field', () => {
  it.each([undefined, null])('is not resolved while the user is %s, although nothing was refused', async (user) => {
    const schema = schemaOf('type Query { free: Int mine: Int @isAuthenticated }');
    guardSchema(schema, () => Promise.resolve(user as never));
    const rootValue = { free: 1, mine: () => 2 };
    const contextValue = { authorization: null };
    const { data, errors } = await graphql({ schema, source: '{ free mine }', rootValue, contextValue });
    expect([{ ...data }, errors?.length]).toEqual([{ free: 1, mine: null }, 1]);
  });

  it('is one that carries this directive', () => {
    const sdl = 'directive @other on FIELD_DEFINITION type Query { free: Int @other mine: Int @isAuthenticated }';
    const fields = schemaOf(sdl).getQueryType()?.getFields() ?? {};
    expect(Object.values(fields).map(isProtected)).toEqual([false, true]);
  });
});

it.each([
  ['an object type', 'type Query { a: Deep } type Deep { b: Int @isAuthenticated c: Int }', 'Deep.b'],
  [
    'an interface',
    'type Query { a: Shape } interface Shape { b: Int @isAuthenticated } type Square implements Shape { b: Int }',
    'Shape.b',
  ],
  [
    'subscriptions',
    'type Query { a: Int } type Subscription { s: Int @isAuthenticated t: Int @isAuthenticated }',
    'Subscription.s, Subscription.t',
  ],
])('the directive on %s is refused, and the message names each place', (_where, sdl, places) => {
  expect(() => guardSchema(schemaOf(sdl), () => Promise.reject(new Error('called')))).toThrow(
    `@isAuthenticated is allowed on fields of Query and Mutation only, and is also on ${places}`,
  );
});
