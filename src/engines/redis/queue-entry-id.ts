import { isJobKind } from '../../job-record/job-kinds.js';
import { encodeKeyPart, type JobIdentity } from '../../job-record/job-record.js';

/**
 * Id of a job's message in BullMQ, unique to the identity. BullMQ gives colons and plain numbers a meaning of their
 * own, so neither may occur; no part holds a dot, so the dots keep the parts apart.
 */
export function queueEntryId({ kind, org, jobId }: JobIdentity): string {
  return [kind, org === undefined ? '' : encodeKeyPart(org), encodeKeyPart(jobId)].join('.');
}

/** The identity that an id of {@link queueEntryId} was made of; undefined for any other text. */
export function identityOf(entryId: string): JobIdentity | undefined {
  const [kind, org, jobId, ...others] = entryId.split('.');
  if (kind === undefined || org === undefined || jobId === undefined || others.length > 0) return undefined;
  if (!isJobKind(kind)) return undefined;
  try {
    return { kind, org: org === '' ? undefined : decodeURIComponent(org), jobId: decodeURIComponent(jobId) };
  } catch {
    return undefined;
  }
}
