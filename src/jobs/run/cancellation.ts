import type { Hold } from '../../job-record/job-store.js';
import { JobCancelledError } from '../job.js';

/** How often it is asked whether a job was cancelled, unless its own writes have just said so, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** Whether a running job was cancelled. */
export interface Cancellation {
  /** Aborted once that is known, with a {@link JobCancelledError}. */
  readonly signal: AbortSignal;
  /** To be told what a write of the job's owner brought back. */
  heard(hold: Hold): void;
  /** Asks no more. */
  end(): void;
}

/**
 * Watches over a running job. As a rule its checkpoints say whether it was cancelled; while it writes none, because an
 * item takes long or waits out an outage, the store is asked twice a second.
 *
 * @param options.isCancelled asks the store; when it cannot be asked, it is asked again
 * @param options.atOnce whether the job was cancelled before it was claimed
 * @param options.onCancelled called once, before the signal is aborted
 */
export function watchCancellation({
  isCancelled,
  atOnce,
  onCancelled,
}: {
  readonly isCancelled: () => Promise<boolean>;
  readonly atOnce: boolean;
  readonly onCancelled: () => void;
}): Cancellation {
  const controller = new AbortController();
  let heardAt = performance.now();
  let isAsking = false;

  const timer = setInterval(() => {
    if (isAsking || performance.now() - heardAt < LOOK_EVERY_MS) return;
    isAsking = true;
    isCancelled()
      .then((cancelled) => cancelled && cancel())
      .catch(() => undefined)
      .finally(() => {
        isAsking = false;
      });
  }, LOOK_EVERY_MS).unref();

  function cancel(): void {
    clearInterval(timer);
    if (controller.signal.aborted) return;
    onCancelled();
    controller.abort(new JobCancelledError('The job was cancelled.'));
  }

  if (atOnce) cancel();
  return {
    signal: controller.signal,
    heard(hold) {
      heardAt = performance.now();
      if (hold === 'cancelled') cancel();
    },
    end: () => clearInterval(timer),
  };
}
