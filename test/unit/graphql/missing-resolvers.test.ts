import { expect, it } from '@jest/globals';
import { createSchema } from 'graphql-yoga';
import { requireRootResolvers } from '../../../src/gateway/graphql/schema.js';

const typeDefs = 'type Query { a: Int b: Int } type Mutation { c: Int d: Int }';

it('A schema in which operations have no resolver is refused, and each of them is named', () => {
  const schema = createSchema({ typeDefs, resolvers: { Query: { a: () => 1 }, Mutation: { d: () => 1 } } });
  expect(() => requireRootResolvers(schema)).toThrow('without a resolver: Query.b, Mutation.c.');
});
