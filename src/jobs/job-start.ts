import { v7 as uuidv7 } from 'uuid';
import { badInput } from '../errors.js';
import type { KeyRing } from '../config/key-ring.js';
import { sealPayload } from '../job-record/payload-encryption.js';
import type { JobSubmission } from '../job-record/job-queue.js';
import { RECORD_RETENTION_MS } from '../job-record/job-record.js';
import { fingerprintsOf } from '../job-record/fingerprint.js';
import type { Job } from './job.js';

/** A job that was accepted. */
export interface StartedJob {
  readonly jobId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Accepts jobs: mints the id, writes the pending record and enqueues the encrypted body. */
export interface JobStarter {
  /**
   * Checks a body against the rules of the job's callback.
   *
   * @throws {GatewayError} `BadInput` naming the field or the limit
   */
  check(job: Job, body: unknown): void;
  /** Checks and accepts the job. @throws {ServiceUnavailableError} store or queue cannot be reached */
  start(job: Job, org: string, body: unknown): Promise<StartedJob>;
}

/** Creates the starter. */
export function createJobStarter({
  submission,
  keyRing,
}: {
  readonly submission: JobSubmission;
  readonly keyRing: KeyRing;
}): JobStarter {
  return {
    check: (job, body) => {
      totalOf(job, body);
    },
    async start(job, org, body) {
      const total = totalOf(job, body);
      const identity = { kind: job.kind, org, jobId: uuidv7() };
      const [fingerprint] = fingerprintsOf(keyRing, body);
      const createdAt = await submission.submit({
        ...identity,
        payload: await sealPayload(keyRing, identity, JSON.stringify(body)),
        described: { total, fingerprint, retentionMs: RECORD_RETENTION_MS },
      });
      return { jobId: identity.jobId, createdAt };
    },
  };
}

function totalOf(job: Job, body: unknown): number {
  const parsed = job.parse(body);
  if ('faults' in parsed) {
    throw badInput(
      parsed.faults.map(({ path, message }) => `${path === '' ? 'The input' : path} ${message}.`).join(' '),
    );
  }
  const { total } = parsed.work;
  if (total > job.limit.most) throw badInput(tooManyItems(job, total));
  return total;
}

/** Text of a batch over its limit, naming the limit and the variable that sets it. */
export function tooManyItems(job: Job, total: number): string {
  return `Too many items: ${total}. The limit is ${job.limit.most} (${job.limit.variable}).`;
}
