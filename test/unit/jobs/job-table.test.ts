/** How front ends order each kind of job and follow it. */
import { describe, expect, it } from '@jest/globals';
import { JOB_KINDS } from '../../../src/job-record/job-kinds.js';
import {
  createJobTable,
  type JobTableOptions,
  requireAdministrator,
  visibleKinds,
} from '../../../src/jobs/job-table.js';
import { unservedSchema } from '../../support/job-table.js';

const schema = unservedSchema();
const tableOf = (): ReturnType<typeof createJobTable> => createJobTable({} as JobTableOptions); // nothing is run here

describe('the table of jobs', () => {
  it.each(JOB_KINDS)(
    'has for %s a mutation that starts such jobs and a query that follows them, and no other does',
    (kind) => {
      const { start, status, statusType } = tableOf()[kind];
      expect(String(schema.getMutationType()?.getFields()[start]?.type)).toBe('Job');
      expect(String(schema.getQueryType()?.getFields()[status]?.type)).toBe(statusType);
      const all = Object.values(tableOf());
      expect(all.filter((other) => other.start === start || other.status === status)).toHaveLength(1);
    },
  );

  it('shows accounts to administrators alone, and what is for everybody to everybody', () => {
    const everybody = JOB_KINDS.filter((kind) => !tableOf()[kind].administratorsOnly);
    expect([...visibleKinds(tableOf(), { IsAdmin: false })].sort()).toEqual([...everybody].sort());
    expect(everybody).not.toContain('user-accounts');
    expect([...visibleKinds(tableOf(), { IsAdmin: true })].sort()).toEqual([...JOB_KINDS].sort());
  });
});

it('what is for administrators alone is forbidden to everybody else', () => {
  expect(() => requireAdministrator({ IsAdmin: true })).not.toThrow();
  expect(() => requireAdministrator({ IsAdmin: false })).toThrow(
    expect.objectContaining({ code: 'Forbidden', message: 'Only administrators may do this.' }),
  );
});
