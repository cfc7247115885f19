import type { Redis } from 'ioredis';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';

/** Keys that Redis looks at in one step, during which it serves nobody else: well below a millisecond. */
const STEP = 1_000;

/** The jobs that have a record under an id, of every kind and organisation. Looks at every key. */
export async function findRecords(client: Redis, jobId: string): Promise<readonly JobIdentity[]> {
  const match = `job:{*:${encodeKeyPart(jobId).replaceAll(/[*?[\]\\]/g, '\\$&')}}`;
  // Redis may name a key twice.
  const keys = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = await client.scan(cursor, 'MATCH', match, 'COUNT', STEP);
    for (const key of found) keys.add(key);
    cursor = next;
  } while (cursor !== '0');
  return [...keys].flatMap((key) => parseJobRecordKey(key) ?? []).filter((job) => job.jobId === jobId);
}
