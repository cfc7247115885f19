/** The user that the claims of a verified token name (specification, "JWT claims read by the service"). */
import { describe, expect, it } from '@jest/globals';
import { isNonNullType, isObjectType } from 'graphql';
import { authUserOf, USER_FIELDS } from '../../../src/gateway/auth/auth-user.js';
import { unservedSchema } from '../../support/job-table.js';

const ACCEPTED = ['https://one.test', 'https://two.test'];
const CLAIMS = { preferred_username: 'user', 'org:id': 'acme', region: 'jp', iss: 'https://two.test' };
const USER = { BackendUser: 'user', Org: 'acme', Issuser: 'https://two.test', Region: 'jp', IsAdmin: false };

const userOf = (changes: object): object | undefined => authUserOf({ ...CLAIMS, ...changes }, ACCEPTED);

describe('the user of a token', () => {
  it('has every field of the schema from the claim that its description names', () => {
    const type = unservedSchema().getType('AuthUser');
    const shown = Object.values(isObjectType(type) ? type.getFields() : {});
    const named = shown.map(({ name, description }) => [name, /claim `(.+?)`/.exec(description ?? '')?.[1]]);
    expect(named).toEqual(Object.entries(USER_FIELDS).map(([name, { claim }]) => [name, claim]));
    // Each is read: without its claim, or with another type, the user is another one, or none.
    for (const { claim } of Object.values(USER_FIELDS)) expect(userOf({ [claim]: {} })).toBeUndefined();
    // A user without a claim has no field only where the schema allows null.
    const without = ([, claim = '']: readonly (string | undefined)[]): object | undefined =>
      userOf({ [claim]: undefined });
    const absent = named.filter((field) => !Object.hasOwn(without(field) ?? USER, field[0] ?? ''));
    const nullable = shown.filter(({ type: of }) => !isNonNullType(of)).map(({ name }) => name);
    expect(absent.map(([name]) => name)).toEqual(nullable);
  });

  it('has what the required and the optional claims say, and nothing else', () => {
    expect(userOf({ email: 'user@acme.test' })).toStrictEqual(USER);
    const optional = { IsAdmin: true, LoggedInId: 'demo', ChatId: '' };
    expect(userOf({ is_admin: true, loggedin_id: 'demo', chat_id: '' })).toStrictEqual({ ...USER, ...optional });
    expect(userOf({ is_admin: null, loggedin_id: null, chat_id: null })).toStrictEqual(USER);
  });

  it.each([
    ['a text', 'https://one.test'],
    ['a list', ['https://other.test', 'https://one.test']],
  ])('is admitted by an audience that is %s, and has no issuer then', (_what, aud) => {
    expect(userOf({ iss: undefined, aud })).toStrictEqual({ ...USER, Issuser: '' });
    expect(userOf({ iss: 'https://other.test', aud })).toMatchObject({ Issuser: 'https://other.test' });
  });

  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    preferred_username: [undefined, '', ' \t', 7],
    'org:id': [undefined, ''],
    region: [undefined, ' ', ['jp']],
    is_admin: ['true', 1],
    loggedin_id: [7],
    chat_id: [{}],
    iss: ['https://other.test', 'https://two.test/', undefined, '', 7],
    aud: [7, [7, 'https://one.test'], {}],
  };

  it.each([
    ...Object.entries(wrong).flatMap(([claim, values]) => values.map((value) => [{ [claim]: value }] as const)),
    [{ iss: 7, aud: 'https://one.test' }],
    [{ iss: undefined, aud: [] }],
    [{ iss: undefined, aud: ['https://one.test/'] }],
  ])('is none with %j', (changes) => expect(userOf(changes)).toBeUndefined());

  it('is none when nothing is accepted, or the empty text is', () => {
    expect(authUserOf(CLAIMS, [])).toBeUndefined();
    expect(authUserOf({ ...CLAIMS, iss: '' }, [''])).toBeUndefined();
  });
});
