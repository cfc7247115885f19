import { jobRecordKey, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';

/**
 * Id of a job's message in BullMQ, unique to the identity. BullMQ gives colons and plain numbers a meaning of their
 * own, so neither may occur; no part holds a dot, so the dots keep the parts apart.
 */
export function queueEntryId(job: JobIdentity): string {
  return jobRecordKey(job).slice('job:{'.length, -1).replaceAll(':', '.');
}

/** The identity that an id of {@link queueEntryId} was made of; undefined for any other text. */
export function identityOf(entryId: string): JobIdentity | undefined {
  return parseJobRecordKey(`job:{${entryId.replaceAll('.', ':')}}`);
}
