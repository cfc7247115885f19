import { setTimeout as delay } from 'node:timers/promises';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { OneJob } from './command-line.js';
import type { JobPorts } from './dead-letters.js';
import { viewJob, type JobView } from './job-view.js';

/** Time between two reads of the record of a job that has not ended. */
const READ_MS = 500;
/** Time between two searches, which read the whole queue, for a job that has ended and is delivered again. */
const SEARCH_MS = 20_000;

/**
 * Follows a job until it has ended and is not in the queue any more, or its record expires.
 *
 * @param onRead receives the record as often as it is read
 * @throws {RefusedCommandError} there is no such job, or there are several
 */
export async function followJob(
  ports: JobPorts,
  selection: OneJob,
  onRead: (job: JobIdentity, record: JobRecord) => void,
  signal: AbortSignal,
): Promise<JobView> {
  for (;;) {
    const view = await viewJob(ports, selection);
    let { record } = view;
    if (record !== undefined) onRead(view.job, record);
    if (record === undefined || (record.state === 'finished' && view.queued === undefined)) return view;
    const searchedAt = performance.now();
    const { attempt } = record;
    const waits = ({ state, ...now }: JobRecord): boolean =>
      state === 'finished' && now.attempt === attempt && performance.now() - searchedAt < SEARCH_MS;
    while (record !== undefined && (record.state !== 'finished' || waits(record))) {
      await delay(READ_MS, undefined, { signal });
      record = await ports.jobStore.read(view.job);
      if (record !== undefined) onRead(view.job, record);
    }
  }
}
