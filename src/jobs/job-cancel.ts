import { forbidden, notFound } from '../errors.js';
import { JOB_KINDS, type JobKind } from '../job-record/job-kinds.js';
import type { JobStore } from '../job-record/job-store.js';
import { ordererOf } from '../job-record/orderer.js';
import type { Order, StartedJob } from './job-start.js';

/** Cancels jobs on behalf of users. */
export interface JobCancel {
  /**
   * Asks a job of the user's organisation to begin nothing further, and logs it. One that has ended stays as it is. Ids
   * are chosen by whoever calls the callbacks, so jobs of several kinds may have the same one: each of them is asked.
   *
   * @param kinds those the user may see
   * @throws {GatewayError} `NotFound`, or `Forbidden` for a job of another kind
   * @throws {ServiceUnavailableError} the store cannot be reached
   */
  cancel(jobId: string, kinds: readonly JobKind[], order: Order): Promise<StartedJob>;
}

/** Creates what cancels. */
export function createJobCancel(jobStore: Pick<JobStore, 'cancel' | 'read'>): JobCancel {
  return {
    async cancel(jobId, kinds, { user, log }) {
      // An id of broken text cannot be that of a record.
      if (!jobId.isWellFormed()) throw notFound(UNKNOWN);
      const org = user.Org;
      const asked = await Promise.all(
        kinds.map(async (kind) => ({ kind, found: await jobStore.cancel({ kind, org, jobId }) })),
      );
      const cancelledBy = ordererOf(user);
      for (const { kind, found } of asked) {
        if (found?.changed) log.event('job.cancelled', { jobId, kind, org, cancelledBy });
      }
      const [first] = asked.flatMap(({ found }) => found ?? []);
      if (first !== undefined) return { jobId, createdAt: first.createdAt };
      const hidden = JOB_KINDS.filter((kind) => !kinds.includes(kind));
      const others = await Promise.all(hidden.map((kind) => jobStore.read({ kind, org, jobId })));
      if (others.some((record) => record !== undefined)) throw forbidden('Only administrators may do this.');
      throw notFound(UNKNOWN);
    },
  };
}

const UNKNOWN = 'There is no such job.';
