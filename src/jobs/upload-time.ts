import { GatewayError } from '../errors.js';
import type { JobExecution } from './job.js';

/** How long an upload may go on after the job's deadline, when no further driver is fetched. */
const GRACE_MS = 10_000;

/** The time an upload has. */
export interface UploadTime {
  /** Aborted with the job's own reason, or with a {@link GatewayError} when the time is over. */
  readonly signal: AbortSignal;
  /** Lets go of the job's signals; to be called when the upload has ended. */
  end(): void;
}

/** Ends an upload with its job, or when it is unfinished some time after the deadline: a bucket may never answer. */
export function uploadTime(
  { signal, deadline }: Pick<JobExecution, 'signal' | 'deadline'>,
  graceMs: number = GRACE_MS,
): UploadTime {
  const upload = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const letGo = (): void => upload.abort(signal.reason);
  const startGrace = (): void => {
    const message = 'The report was not stored within JOB_DEADLINE_SECONDS.';
    timer = setTimeout(() => upload.abort(new GatewayError('InternalError', message)), graceMs);
  };
  signal.addEventListener('abort', letGo);
  deadline.addEventListener('abort', startGrace);
  if (signal.aborted) letGo();
  if (deadline.aborted) startGrace();
  return {
    signal: upload.signal,
    end: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', letGo);
      deadline.removeEventListener('abort', startGrace);
    },
  };
}
