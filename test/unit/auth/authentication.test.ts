/** When the user of a request is asked for, and how often. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildSchema, graphql, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { guardWithGenericAuth } from '../../../src/auth/guard.js';
import type { AuthUser } from '../../../src/auth/auth-user.js';

const USER: AuthUser = { BackendUser: 'user', Org: 'acme', Issuser: '', Region: 'jp', IsAdmin: false };

let schema: GraphQLSchema;
/** The header of each authentication. */
let asked: (string | null)[];

beforeEach(() => {
  asked = [];
  schema = buildSchema(`directive @isAuthenticated on FIELD_DEFINITION
    type Query { free: Int mine: String @isAuthenticated own: String @isAuthenticated }`);
  guardWithGenericAuth(schema, (authorization) => {
    asked.push(authorization);
    return authorization === 'right' ? Promise.resolve(USER) : Promise.reject(new Error('token is invalid'));
  });
});

function ask(source: string, authorization: string | null): Promise<ExecutionResult> {
  const org = (_args: unknown, { auth_user }: { auth_user?: AuthUser }): string | undefined => auth_user?.Org;
  return graphql({ schema, source, rootValue: { free: 1, mine: org, own: org }, contextValue: { authorization } });
}

describe('the user of a request', () => {
  it('is not looked for as long as only public fields are asked for', async () => {
    expect((await ask('{ free }', 'right')).data).toEqual({ free: 1 });
    expect(asked).toEqual([]);
  });

  it('is asked for once, however many fields need one, and is theirs', async () => {
    expect((await ask('{ free mine own }', 'right')).data).toEqual({ free: 1, mine: 'acme', own: 'acme' });
    expect(asked).toEqual(['right']);
  });

  it('is asked for once when the token is refused as well, and each field says so', async () => {
    const { data, errors } = await ask('{ free mine own }', null);
    expect(data).toEqual({ free: 1, mine: null, own: null });
    expect(errors?.map(({ path, message }) => [path, message])).toEqual([
      [['mine'], 'token is invalid'],
      [['own'], 'token is invalid'],
    ]);
    expect(asked).toEqual([null]);
  });

  it('is another one for another request', async () => {
    const [first, second] = await Promise.all([ask('{ mine }', 'right'), ask('{ mine }', 'wrong')]);
    expect([first.data, second.data]).toEqual([{ mine: 'acme' }, { mine: null }]);
    expect(asked).toEqual(['right', 'wrong']);
  });
});
