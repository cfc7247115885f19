/** How front ends order each kind of job and follow it. */
import { describe, expect, it } from '@jest/globals';
import { getNamedType, GraphQLObjectType, isObjectType } from 'graphql';
import { JOB_KINDS } from '../../../src/job-record/job-kinds.js';
import { createJobTable, type JobTableOptions } from '../../../src/jobs/job-table.js';
import { requireAdministrator, visibleKinds } from '../../../src/jobs/job-visibility.js';
import { unservedSchema } from '../../support/job-table.js';

const schema = unservedSchema();
const tableOf = (): ReturnType<typeof createJobTable> => createJobTable({} as JobTableOptions); // nothing is run here

/** The type that a field of the schema answers. */
function answerOf(root: GraphQLObjectType | null | undefined, field: string): GraphQLObjectType {
  const type = getNamedType(root?.getFields()[field]?.type);
  if (!isObjectType(type)) throw new Error(`The schema has no field ${field} that answers an object.`);
  return type;
}

describe('the table of jobs', () => {
  it('has every kind, under its own name', () => {
    const table = tableOf();
    expect(Object.keys(table).sort()).toEqual([...JOB_KINDS].sort());
    for (const kind of JOB_KINDS) expect(table[kind].kind).toBe(kind);
  });

  it.each(JOB_KINDS)(
    'has for %s a mutation that starts such jobs and a query that follows them, and no other does',
    (kind) => {
      const { start, status, statusType } = tableOf()[kind];
      expect(answerOf(schema.getMutationType(), start).name).toBe('Job');
      const answer = answerOf(schema.getQueryType(), status);
      expect(answer.name).toBe(statusType);
      expect(answer.getInterfaces().map(({ name }) => name)).toContain('JobStatus');
      const all = Object.values(tableOf());
      expect(all.filter((other) => other.start === start || other.status === status)).toHaveLength(1);
    },
  );

  it('shows accounts to administrators alone, and everything else to everybody', () => {
    const everybody = JOB_KINDS.filter((kind) => kind !== 'user-accounts');
    expect([...visibleKinds(tableOf(), { IsAdmin: false })].sort()).toEqual([...everybody].sort());
    expect([...visibleKinds(tableOf(), { IsAdmin: true })].sort()).toEqual([...JOB_KINDS].sort());
  });
});

describe('what is for administrators alone', () => {
  it('is forbidden to everybody else', () => {
    expect(() => requireAdministrator({ IsAdmin: true })).not.toThrow();
    expect(() => requireAdministrator({ IsAdmin: false })).toThrow(
      expect.objectContaining({ code: 'Forbidden', message: 'Only administrators may do this.' }),
    );
  });
});
