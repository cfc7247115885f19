/** An error of a reply, as every client shows it. */
export interface ShownError {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Codes of refusals that pass by themselves: the job goes on meanwhile. */
const PASSING = ['ServiceUnavailable', 'TooManyRequests'];

/**
 * Returns the pause before the next poll, in milliseconds.
 *
 * @param errors of the last reply; empty if none came, or one of a proxy
 * @param usualMs pause between polls
 * @returns undefined if another poll would be refused as well
 */
export function pauseAfter(errors: readonly ShownError[], usualMs: number): number | undefined {
  if (!errors.every(({ extensions }) => PASSING.includes(String(extensions?.['code'])))) return undefined;
  const asked = errors.map(({ extensions }) => Number(extensions?.['retryAfterSeconds'] ?? 0) * 1_000);
  return Math.max(usualMs, ...asked);
}

export function pass(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
