/**
 * The compile-time proof: `auth_user` is in the context of resolvers whose field carries `@isAuthenticated`, and in
 * no other. Small sources are compiled in memory with the project's own settings and its generated types.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLField } from 'graphql';
import { isProtected } from '../../src/auth/guard.js';
import { readTypeDefs } from '../../src/graphql/schema.js';
import { compileErrors } from '../support/compiled-source.js';

/** A resolver that uses the user, for any field. */
function resolverOf(type: string, field: string): string {
  return `
    import type { Resolvers } from '../../generated/graphql.js';
    import type { AuthUser } from '../../src/auth/auth-user.js';
    export const resolvers: Resolvers = {
      ${type}: {
        ${field}: (_root, _args, context) => {
          const user: AuthUser = context.auth_user;
          throw new Error(user.Org);
        },
      },
    };`;
}

/** Compiles sources as if they lay beside this file. @returns the errors of each */
function compile(sources: ReadonlyMap<string, string>): Map<string | undefined, string[]> {
  const names = new Map([...sources.keys()].map((name) => [`test/contract/${name}.virtual.ts`, name]));
  const errors = compileErrors(new Map([...sources].map(([name, text]) => [`test/contract/${name}.virtual.ts`, text])));
  return new Map([...errors].map(([file, found]) => [names.get(file), found]));
}

const schema = buildSchema(readTypeDefs().join('\n'));
const rootFields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ type: type?.name ?? '', field })),
);
const namesOf = (wanted: boolean): [string, string][] =>
  rootFields
    .filter(({ field }) => isProtected(field as GraphQLField<unknown, unknown>) === wanted)
    .map(({ type, field }) => [type, field.name]);

/** Fields below the root: reached from protected and from public fields alike. */
const NESTED: readonly (readonly [string, string])[] = [
  ['Mobile', 'tags'],
  ['Position', 'address'],
  ['UserAccount', 'indivs'],
  ['DrivingReportsStatus', 'downloadUrl'],
  ['AuthUser', 'Org'],
];

describe('auth_user in the context of a resolver', () => {
  let errors: ReturnType<typeof compile>;
  beforeAll(() => {
    const fields = [...rootFields.map(({ type, field }) => [type, field.name] as const), ...NESTED];
    errors = compile(
      new Map([
        ...fields.map(([type, field]): [string, string] => [`${type}.${field}`, resolverOf(type, field)]),
        ['control', resolverOf('Query', 'me').replace('user.Org', 'user.NoSuchField')],
      ]),
    );
  });

  it.each(namesOf(true))('exists for %s.%s, which is protected', (type, field) => {
    expect(errors.get(`${type}.${field}`)).toEqual([]);
  });

  it.each([...namesOf(false), ...NESTED])('does not exist for %s.%s: that is a type error', (type, field) => {
    expect(errors.get(`${type}.${field}`)).toEqual([
      "TS2339: Property 'auth_user' does not exist on type 'GatewayContext'.",
    ]);
  });

  it('is an AuthUser, not anything', () => {
    expect(errors.get('control')).toEqual(["TS2339: Property 'NoSuchField' does not exist on type 'AuthUser'."]);
  });
});
