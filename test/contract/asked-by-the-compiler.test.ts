/**
 * A part of a contract that the code forgets is a compile error that names the part, and so is `auth_user` in a resolver
 * whose field does not carry `@isAuthenticated`. Sources are compiled in memory with the project's own settings.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isProtected } from '../../src/gateway/auth/guard.js';
import { compileErrors } from '../support/compiled-source.js';
import { unservedSchema } from '../support/job-table.js';
import { rootFieldsOf } from '../support/schema-operations.js';

const SCHEMA = 'src/gateway/graphql/schema.ts';
const TABLE = 'src/jobs/job-table.ts';
const JOB = 'src/jobs/kinds/mobiles-job.ts';
const REPORT = 'src/jobs/kinds/driving-reports-job.ts';
const STATUS = 'src/jobs/job-status.ts';
const FILES = [SCHEMA, TABLE, JOB, REPORT, STATUS];

/** Generated types as a further run of the generator would leave them, after something was added to a contract. */
const ADDED = new Map([
  generated('generated/callbacks.d.ts', [
    ['export declare const CALLBACK_PATHS: {', "readonly 'added-callback': '/api/v1/Added/Callback';"],
  ]),
  generated('generated/graphql.d.ts', [
    [/export type QueryResolvers<.*> = \{/, 'addedQuery?: Resolver<number>;'],
    [/export type MutationResolvers<.*> = \{/, 'addedMutation?: Resolver<number>;'],
    ['export type BulkUpdateMobileStatus = JobStatus & {', 'addedField: number;'],
  ]),
  generated('generated/gateway.d.ts', [['readonly Driver: {', 'readonly addedId?: string;']]),
]);

/** A generated file with texts put behind others. */
function generated(file: string, additions: readonly (readonly [string | RegExp, string])[]): [string, string] {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const text = additions.reduce((before, [behind, added]) => {
    const after = before.replace(behind, (found) => found + added);
    if (after === before) throw new Error(`${file} has nothing like ${String(behind)}.`);
    return after;
  }, source);
  return [file, text];
}

describe('The compiler', () => {
  let after: Map<string, string[]>;
  beforeAll(() => {
    after = compileErrors(ADDED, FILES);
  });

  it.each([
    ['the resolver of a query', SCHEMA, /Property 'addedQuery' is missing/],
    ['the resolver of a mutation', SCHEMA, /Property 'addedMutation' is missing/],
    ['the job of a callback', TABLE, /Property '"added-callback"' is missing/],
    ['a field that the status of a job promises', JOB, /Property 'addedField' is missing/],
    ['the check of what a field of a body names', REPORT, /Property 'addedId' is missing/],
    [
      'the name that front ends have for a kind of job',
      STATUS,
      /"ADDED_CALLBACK"' is not assignable to type 'JobKind'/,
    ],
  ])('asks for %s', (_what, file, error) => expect(after.get(file)).toContainEqual(expect.stringMatching(error)));

  it('asks for nothing else', () => {
    expect([...after.values()].map((errors) => errors.length)).toEqual([2, 1, 1, 1, 1]);
  });
});

/** A source beside this file with a resolver that uses the user, for any field. */
function resolverOf(name: string, member = 'Org'): [path: string, source: string] {
  const [type = '', field = ''] = name.split('.');
  const source = `
    import type { Resolvers } from '../../generated/graphql.js';
    import type { AuthUser } from '../../src/gateway/auth/auth-user.js';
    export const resolvers: Resolvers = {
      ${type}: {
        ${field}: (_root, _args, context) => {
          const user: AuthUser = context.auth_user;
          throw new Error(user.${member});
        },
      },
    };`;
  return [`test/contract/${name}.${member}.virtual.ts`, source];
}

const fields = rootFieldsOf(unservedSchema());
const namesOf = (wanted: boolean): string[] =>
  fields.filter(({ field }) => isProtected(field) === wanted).map(({ name }) => name);

/** Fields below the root: reached from protected and from public fields alike. */
const NESTED = [
  'Mobile.tags',
  'Position.address',
  'UserAccount.indivs',
  'DrivingReportsStatus.downloadUrl',
  'AuthUser.Org',
];

describe('auth_user in the context of a resolver', () => {
  let errors: Map<string, string[]>;
  beforeAll(() => {
    const resolvers = [...fields.map(({ name }) => name), ...NESTED].map((name) => resolverOf(name));
    errors = compileErrors(new Map([...resolvers, resolverOf('Query.me', 'NoSuchField')]));
  });

  const found = (...of: Parameters<typeof resolverOf>): unknown => errors.get(resolverOf(...of)[0]);

  it.each(namesOf(true))('exists for %s, which is protected', (name) => expect(found(name)).toEqual([]));

  it.each([...namesOf(false), ...NESTED])('does not exist for %s: that is a type error', (name) => {
    expect(found(name)).toEqual(["TS2339: Property 'auth_user' does not exist on type 'GatewayContext'."]);
  });

  it('is an AuthUser, not anything', () => {
    const error = "TS2339: Property 'NoSuchField' does not exist on type 'AuthUser'.";
    expect(found('Query.me', 'NoSuchField')).toEqual([error]);
  });
});
