import type { JobExecution } from '../../../src/jobs/job.js';
import { Patience } from '../../../src/jobs/run/patience.js';
import { captureLog } from '../../support/captured-log.js';

export function impatience(): Patience {
  return new Patience({ patienceMs: 0, interrupted: never(), deadline: never() });
}

/** Patience that lasts for a minute. */
export function patience(): Patience {
  return new Patience({ patienceMs: 60_000, interrupted: never(), deadline: never() });
}

/** The execution of a first attempt that nothing interrupts; `changes` are the fields that differ. */
export function jobExecution(changes: Partial<JobExecution> = {}): JobExecution {
  return {
    job: { kind: 'mobiles', org: 'acme', jobId: 'job' },
    keyPrefix: 'acme:job',
    createdAt: 0,
    startedAt: Date.now(),
    fetchedAt: Date.now(),
    attempt: 1,
    checkpoint: undefined,
    doneBefore: 0,
    items: [],
    signal: never(),
    stopping: never(),
    deadline: never(),
    cancelled: never(),
    log: captureLog().logger,
    patience: impatience(),
    saveProgress: () => Promise.resolve(),
    ...changes,
  };
}

function never(): AbortSignal {
  return new AbortController().signal;
}
