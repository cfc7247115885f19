import { onAbort } from '../../base/waits.js';
import type { JobExecution } from '../job.js';

/** Time for which a change or an upload may continue after the job's deadline, in milliseconds. */
export const CLOSING_MS = 10_000;

/** Runs work that must not outlast its job: its signal aborts with that of the job, or `graceMs` after the deadline. */
export async function beforeClosing<T>(
  { signal, deadline }: Pick<JobExecution, 'signal' | 'deadline'>,
  graceMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abort = (): void => own.abort(signal.reason);
  const close = (): void => own.abort(new Error('The job was not done within JOB_DEADLINE_SECONDS.'));
  const startGrace = (): void => {
    if (graceMs === 0) close();
    else timer = setTimeout(close, graceMs);
  };
  const unfollow = [onAbort(signal, abort), onAbort(deadline, startGrace)];
  try {
    return await run(own.signal);
  } finally {
    clearTimeout(timer);
    for (const stop of unfollow) stop();
  }
}
