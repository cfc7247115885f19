/** A part of a contract that the code forgets is a compile error that names the part. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compileErrors } from '../support/compiled-source.js';

const SCHEMA = 'src/graphql/schema.ts';
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
  ])('asks for %s', (_what, file, error) => {
    expect(after.get(file)).toContainEqual(expect.stringMatching(error));
  });

  it('asks for nothing else', () => {
    expect([...after.values()].map((errors) => errors.length)).toEqual([2, 2, 1, 1, 1]);
  });
});
