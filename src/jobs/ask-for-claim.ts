import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors.js';
import type { JobIdentity } from '../job-record/job-record.js';
import type { ClaimOutcome, ClaimRequest, JobStore } from '../job-record/job-store.js';

/** How often a claim is asked for while the store does not answer, and the pause after the first time. */
const MAX_TRIES = 3;
const PAUSE_MS = 200;

/**
 * Claims a job, and asks again under the same nonce when the reply is lost: it may have been granted.
 *
 * @throws {ServiceUnavailableError} when the store cannot be reached
 */
export async function askForClaim(
  jobStore: JobStore,
  job: JobIdentity,
  wanted: Omit<ClaimRequest, 'nonce'>,
): Promise<ClaimOutcome> {
  const claim: ClaimRequest = { ...wanted, nonce: randomUUID() };
  for (let tries = 1; ; tries += 1) {
    try {
      return await jobStore.claim(job, claim);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableError) || tries === MAX_TRIES) throw error;
      await delay(PAUSE_MS * tries);
    }
  }
}
