import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeFragment } from '../../generated/demo-operations.js';

/** Output and interruption while a job is awaited. */
export interface Waiting {
  readonly print: (line: string) => void;
  /** Shows the progress of the job in place of the line before. */
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

const POLL_INTERVAL_MS = 150;
const JOB_LIMIT_MS = 120_000;

/**
 * Polls a job until it ends, and shows its progress.
 *
 * @throws {Error} after two minutes
 */
export async function awaitJob<Status extends OutcomeFragment>(
  poll: () => Promise<Status>,
  { progress, signal }: Waiting,
): Promise<Status> {
  const until = performance.now() + JOB_LIMIT_MS;
  let shown = '';
  for (;;) {
    const status = await poll();
    const line = describeProgress(status);
    if (line !== shown) progress(line);
    shown = line;
    if (status.completed) return status;
    if (performance.now() > until) throw new Error(`The job has not ended after ${JOB_LIMIT_MS / 1000} seconds.`);
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const BAR_LENGTH = 20;

function describeProgress({ state, progress: { done, total } }: OutcomeFragment): string {
  const filled = total === 0 ? BAR_LENGTH : Math.round((BAR_LENGTH * done) / total);
  return `   ${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${done}/${total} ${state.toLowerCase()}`;
}
