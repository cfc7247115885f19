import type { Hold } from '../../job-record/job-store.js';
import { JobCancelledError } from '../job.js';

/**
 * Interval at which the store is asked for a cancellation, unless the job's own writes have just reported it, in
 * milliseconds.
 */
const LOOK_EVERY_MS = 500;

/** Cancellation state of a running job. */
export interface Cancellation {
  /** Aborted once the job is cancelled, with a {@link JobCancelledError}. */
  readonly signal: AbortSignal;
  /** Takes the result of a write of the job's owner. */
  heard(hold: Hold): void;
  /** Stops asking. */
  end(): void;
}

/**
 * Watches a running job. Usually its checkpoints report a cancellation. While it writes none, because an item takes
 * long or waits out an outage, the store is asked twice a second.
 *
 * @param options.isCancelled asks the store; a failed call is repeated
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
