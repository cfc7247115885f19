import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../../src/errors.js';
import type { IndexedJob, IndexedJobs } from '../../../src/job-record/organisation-jobs.js';
import type { JobRecord } from '../../../src/job-record/job-record.js';
import { readJobCursor } from '../../../src/jobs/job-cursor.js';
import { createJobList, type JobPage } from '../../../src/jobs/job-list.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { JOBS } from '../../support/job-table.js';

const RECORD: JobRecord = {
  state: 'finished',
  total: 1,
  done: 1,
  createdAt: 1_000,
  finishedAt: 2_000,
  attempt: 1,
  fingerprint: 'print',
  retentionMs: 1_000,
  expiresAt: 3_000,
  result: { status: 200, body: '{"status":"Success"}' },
};

let indexed: IndexedJobs;
let records: Map<string, JobRecord | Error>;
let log: CapturedLog;
/** Records that are read now, and most that were at once. */
let reading: number;
let maxReading: number;
let reads: number;

beforeEach(() => {
  records = new Map();
  log = captureLog();
  [reading, maxReading, reads] = [0, 0, 0];
});

function jobsOf(count: number): IndexedJob[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'mobiles',
    org: 'acme',
    jobId: `job-${index}`,
    createdAt: 10_000 - index,
  }));
}

function page(): Promise<JobPage> {
  const list = createJobList({
    jobs: JOBS,
    organisations: { list: () => Promise.resolve(indexed) },
    jobStore: {
      async read({ jobId }) {
        reads += 1;
        reading += 1;
        maxReading = Math.max(maxReading, reading);
        await new Promise(setImmediate);
        reading -= 1;
        const record = records.get(jobId);
        if (record instanceof Error) throw record;
        return record;
      },
    },
  });
  return list.page({ Org: 'acme', IsAdmin: true }, { limit: 200 }, log.logger);
}

const idsOf = ({ jobs }: JobPage): string[] => jobs.map(({ jobId }) => jobId);

describe('a page of jobs', () => {
  it('leaves out those whose record is gone, or cannot be read, which is logged', async () => {
    const [first, second, third, fourth] = jobsOf(4);
    const last = { createdAt: 1, kind: 'mobiles', jobId: 'last' } as const;
    indexed = { jobs: [first, second, third, fourth].flatMap((job) => job ?? []), next: last };
    records.set('job-0', RECORD);
    records.set('job-1', new Error('field state is "nonsense"'));
    records.set('job-3', { ...RECORD, result: { status: 200, body: '{"status":"Odd"}' } });
    const found = await page();
    expect(idsOf(found)).toEqual(['job-0']);
    expect(readJobCursor(found.next ?? '')).toEqual(last);
    expect(log.complaints()).toEqual(['job.record_unreadable', 'job.record_unreadable']);
    expect(log.text()).toContain('"jobId":"job-1"');
  });

  it('reads each record once, and not all at the same time', async () => {
    indexed = { jobs: jobsOf(200) };
    for (const { jobId } of indexed.jobs) records.set(jobId, RECORD);
    expect(idsOf(await page())).toEqual(indexed.jobs.map(({ jobId }) => jobId));
    expect(reads).toBe(200);
    expect(maxReading).toBeLessThanOrEqual(25);
  });

  it('ends early behind a job whose outcome is large, and goes on behind it', async () => {
    indexed = { jobs: jobsOf(200) };
    for (const { jobId } of indexed.jobs) records.set(jobId, RECORD);
    const errors = [`[0] 1: ${'x'.repeat(1_100_000)}`];
    records.set('job-30', { ...RECORD, result: { status: 200, body: JSON.stringify({ status: 'Failure', errors }) } });
    const found = await page();
    expect(found.jobs).toHaveLength(31);
    expect(readJobCursor(found.next ?? '')).toEqual({ kind: 'mobiles', jobId: 'job-30', createdAt: 9_970 });
    expect(reads).toBe(50);
  });

  it('has nothing behind it when the last one is large', async () => {
    indexed = { jobs: jobsOf(1) };
    const errors = ['x'.repeat(1_100_000)];
    records.set('job-0', { ...RECORD, result: { status: 200, body: JSON.stringify({ status: 'Failure', errors }) } });
    expect(await page()).toEqual({ jobs: [expect.objectContaining({ jobId: 'job-0', status: 'Failure' })] });
  });

  it('fails as a whole while the store cannot be reached', async () => {
    indexed = { jobs: jobsOf(1) };
    records.set('job-0', new ServiceUnavailableError('job store'));
    await expect(page()).rejects.toThrow(ServiceUnavailableError);
  });
});
