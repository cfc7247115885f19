import { jobRecordKey, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';

/**
 * Returns the id of a job's message in BullMQ, unique to the identity. BullMQ gives colons and plain numbers a special
 * meaning, so neither may occur; no part contains a dot, so dots separate the parts.
 */
export function queueEntryId(job: JobIdentity): string {
  return jobRecordKey(job).slice('job:{'.length, -1).replaceAll(':', '.');
}

/** Parses an id of {@link queueEntryId}; undefined if invalid. */
export function identityOf(entryId: string): JobIdentity | undefined {
  return parseJobRecordKey(`job:{${entryId.replaceAll('.', ':')}}`);
}
