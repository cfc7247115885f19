import { setTimeout as delay } from 'node:timers/promises';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import type { OneJob } from './command-line.js';
import type { JobPorts } from './dead-letters.js';
import { viewJob, type JobView } from './job-view.js';

/** Time between two reads of the record of a job that has not ended. */
const READ_MS = 500;
/** Time between two searches for a job that has ended, and that the queue still delivers. */
const SEARCH_MS = 2_000;

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
    if (record.state === 'finished') await delay(SEARCH_MS, undefined, { signal });
    while (record !== undefined && record.state !== 'finished') {
      await delay(READ_MS, undefined, { signal });
      record = await ports.jobStore.read(view.job);
      if (record !== undefined) onRead(view.job, record);
    }
  }
}
