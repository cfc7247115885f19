import { Patience } from '../../../src/jobs/run/patience.js';

/** Patience that waits for nothing. */
export function impatience(): Patience {
  const never = new AbortController().signal;
  return new Patience({ patienceMs: 0, interrupted: never, deadline: never });
}
