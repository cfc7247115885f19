import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { organisationTag } from '../../job-record/organisation-jobs.js';
import { textIn, type Row } from './query.js';

/** A job as the tables have it: its organisation, and its own name within that. */
export type JobKey = readonly [org: string, id: string];

/** The key of a job. */
export function keyOf(job: JobIdentity): JobKey {
  return [organisationTag(job.org), idOf(job)];
}

/** The name of a job within its organisation. */
export function idOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return `${kind}:${encodeKeyPart(jobId)}`;
}

/** The job whose key the first two columns of a row hold; undefined when they are damaged. */
export function jobIn(row: Row): JobIdentity | undefined {
  const [org, id] = [textIn(row, 0), textIn(row, 1)];
  const [kind = '', ...rest] = id.split(':');
  const ofNone = org === organisationTag(undefined);
  return parseJobRecordKey(`job:{${kind}:${ofNone ? '' : org}:${rest.join(':')}}`);
}
