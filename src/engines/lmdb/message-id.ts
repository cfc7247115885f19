import { jobRecordKey, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';
import { fitKey } from './database.js';

/** Id of the message of a job, which is the key of its record. */
export function messageIdOf(job: JobIdentity): string {
  return fitKey(jobRecordKey(job));
}

/** The job with such an id; undefined when the id was cut because it was too long, or is damaged. */
export function identityOf(id: string): JobIdentity | undefined {
  return parseJobRecordKey(id);
}
