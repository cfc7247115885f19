/** The guard around protected fields, and where the directive may not stand. */
import { describe, expect, it } from '@jest/globals';
import { buildSchema, graphql, type GraphQLSchema } from 'graphql';
import type { AuthUser } from '../../../src/auth/auth-user.js';
import { guardSchema, isProtected, type GuardedContext } from '../../../src/auth/guard.js';

const DIRECTIVE = 'directive @isAuthenticated on FIELD_DEFINITION directive @other on FIELD_DEFINITION';
const USER: AuthUser = { BackendUser: 'user', Org: 'acme', Issuser: '', Region: 'jp', IsAdmin: false };

function schemaOf(sdl: string): GraphQLSchema {
  return buildSchema(`${DIRECTIVE} ${sdl}`);
}

const FIELDS = `
  type Query { free: Int @other mine: Int @isAuthenticated own: Int @isAuthenticated }
  type Mutation { change: Int @isAuthenticated }`;

/** The data of an operation, and what each error says. @param admit puts a user into the context, or throws */
async function ask(source: string, admit: (context: GuardedContext) => void, sdl = FIELDS): Promise<unknown[]> {
  const schema = schemaOf(sdl);
  let admitted = 0;
  guardSchema(schema, (context: GuardedContext) => {
    admitted += 1;
    admit(context);
    return Promise.resolve();
  });
  const rootValue = { free: 1, mine: () => 2, own: 3, change: 4 };
  const { data, errors = [] } = await graphql({ schema, source, rootValue, contextValue: {} });
  return [JSON.parse(JSON.stringify(data)) as unknown, errors.map(({ message }) => message), admitted];
}

function letIn(context: GuardedContext): void {
  context.auth_user = USER;
}

describe('a protected field', () => {
  it('is resolved for a user, who is admitted once', async () => {
    const source = 'mutation { change again: change }';
    expect(await ask(source, letIn)).toEqual([{ change: 4, again: 4 }, [], 1]);
    expect(await ask('{ free mine }', letIn)).toEqual([{ free: 1, mine: 2 }, [], 1]);
  });

  it('is never resolved without a user, and the others are', async () => {
    const refuse = (): never => {
      throw new Error('token is invalid');
    };
    expect(await ask('{ free mine }', refuse)).toEqual([{ free: 1, mine: null }, ['token is invalid'], 1]);
    const [data, errors] = await ask('{ free mine }', () => undefined);
    expect([data, errors]).toEqual([{ free: 1, mine: null }, [expect.stringMatching(/./)]]);
    const [none] = await ask('{ mine }', (context) => {
      context.auth_user = null;
    });
    expect(none).toEqual({ mine: null });
  });

  it('keeps the resolver it has', async () => {
    const schema = schemaOf(FIELDS);
    const field = schema.getQueryType()?.getFields()['mine'];
    if (field === undefined) throw new Error('It is in the schema.');
    field.resolve = (_parent, _args, { auth_user }: GuardedContext) => auth_user?.Org.length;
    guardSchema(schema, (context: GuardedContext) => {
      letIn(context);
      return Promise.resolve();
    });
    expect((await graphql({ schema, source: '{ mine }', contextValue: {} })).data).toEqual({ mine: 4 });
  });

  it('is one that carries the directive', () => {
    const fields = schemaOf(FIELDS).getQueryType()?.getFields() ?? {};
    expect(Object.values(fields).map((field) => [field.name, isProtected(field)])).toEqual([
      ['free', false],
      ['mine', true],
      ['own', true],
    ]);
    expect(isProtected({ ...fields['mine'], astNode: undefined } as never)).toBe(false);
  });

  it('needs no mutations', async () => {
    expect(await ask('{ mine }', letIn, 'type Query { mine: Int @isAuthenticated }')).toEqual([{ mine: 2 }, [], 1]);
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
  expect(() => guardSchema(schemaOf(sdl), () => Promise.resolve())).toThrow(
    `@isAuthenticated is allowed on fields of Query and Mutation only, and is also on ${places}`,
  );
});
