import type { Redis } from 'ioredis';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity } from '../../job-record/job-record.js';

/** Keys that Redis looks at in one step, during which it serves nobody else: well below a millisecond. */
const STEP = 1_000;

/**
 * The jobs that have a record under an id, of every kind and organisation. Looks at every key.
 *
 * @param primaries all servers that records are spread over
 */
export async function findRecords(primaries: readonly Redis[], jobId: string): Promise<readonly JobIdentity[]> {
  const match = `job:{*:${encodeKeyPart(jobId).replaceAll(/[*?[\]\\]/g, '\\$&')}}`;
  // A server may name a key twice, and two servers may while its slot moves from one to the other.
  const keys = new Set<string>();
  await Promise.all(
    primaries.map(async (primary) => {
      for await (const found of keysOf(primary, match)) keys.add(found);
    }),
  );
  return [...keys].flatMap((key) => parseJobRecordKey(key) ?? []).filter((job) => job.jobId === jobId);
}

async function* keysOf(primary: Redis, match: string): AsyncGenerator<string> {
  let cursor = '0';
  do {
    const [next, found] = await primary.scan(cursor, 'MATCH', match, 'COUNT', STEP);
    yield* found;
    cursor = next;
  } while (cursor !== '0');
}
