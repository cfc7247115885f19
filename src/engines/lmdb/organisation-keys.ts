import { encodeKeyPart, type JobIdentity } from '../../job-record/job-record.js';
import { organisationTag } from '../../job-record/organisation-jobs.js';
import { fitKey } from './database.js';
import { LAST } from './table.js';

/** A job of an organisation, by its organisation and its own name. */
export type JobKey = [org: string, id: string];

/** Two parts of this length, and a number, are what a key may hold. */
const MAX_PART = 900;

/** An organisation as keys have it; those without one are one. */
export function tagOf(org: string | undefined): string {
  return fitKey(organisationTag(org), MAX_PART);
}

/** A job as keys of its organisation have it. */
export function idOf({ kind, jobId }: Pick<JobIdentity, 'kind' | 'jobId'>): string {
  return fitKey(`${kind}:${encodeKeyPart(jobId)}`, MAX_PART);
}

export function keyOf(job: JobIdentity): JobKey {
  return [tagOf(job.org), idOf(job)];
}

/** The range of everything of one organisation. */
export function within(tag: string): { start: [string]; end: [string, string] } {
  return { start: [tag], end: [tag, LAST] };
}
