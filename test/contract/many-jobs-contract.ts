import { afterEach, expect, it } from '@jest/globals';
import { NO_LIMITS, type OrganisationLimits } from '../../src/jobs/record/organisation-jobs.js';
import type { EngineUnderTest } from './engine-under-test.js';
import { kindOf, message, pages } from './organisation-jobs-contract.js';

/**
 * Registers, within the `describe` of the caller, the tests of the list of an organisation that has hundreds of jobs or
 * more. They are for each way in which an index is read: that of one organisation lies in one server, whatever Redis is.
 */
export function manyJobsContract(open: (limits: OrganisationLimits) => Promise<EngineUnderTest>): void {
  let engine: EngineUnderTest;
  afterEach(() => engine.close());

  it('are listed each once, however many were ordered in one millisecond, and while others are', async () => {
    engine = await open(NO_LIMITS);
    const ids = Array.from({ length: 240 }, (_, index) => `job-${index}`);
    // No more at once than a busy machine answers within the time limit of Redis.
    for (let start = 0; start < ids.length; start += 50) {
      const some = ids.slice(start, start + 50);
      await Promise.all(
        some.map((id, index) => engine.submission.submit(message(id, 'acme', { kind: kindOf(start + index) }))),
      );
    }
    const found = await pages(engine, { limit: 40 }, async (count) => {
      await engine.passTime(5);
      await engine.submission.submit(message(`later-${count}`));
    });
    expect(found.flat().toSorted()).toEqual(ids.toSorted());
    expect(found.slice(0, -1).every((page) => page.length === 40)).toBe(true);
    const reports = await pages(engine, { limit: 40, kinds: ['driving-reports'] });
    expect(reports.flat().toSorted()).toEqual(ids.filter((_, index) => index % 3 === 1).toSorted());
  });

  it('are listed without looking at more than a thousand for a page of a kind that is rare, and without naming those', async () => {
    engine = await open(NO_LIMITS);
    await engine.submission.submit(message('rare', 'acme', { kind: 'driving-reports' }));
    await engine.passTime(5);
    for (let start = 0; start < 1_100; start += 100) {
      const others = Array.from({ length: 100 }, (_, index) =>
        message(`other-${start + index}`, 'acme', { kind: 'user-accounts' }),
      );
      await Promise.all(others.map((other) => engine.submission.submit(other)));
    }
    const kinds = ['driving-reports'] as const;
    const { jobs, next } = await engine.organisations.list('acme', { limit: 10, kinds });
    expect(jobs).toEqual([]);
    expect(next).toMatchObject({ kind: 'user-accounts', jobId: '' });
    expect((await pages(engine, { limit: 10, kinds })).flat()).toEqual(['rare']);
    expect((await pages(engine, { limit: 200 })).flat()).toHaveLength(1_101);
  });
}
