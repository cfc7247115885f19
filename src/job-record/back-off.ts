const FIRST_MS = 1_000;
const MAX_MS = 60_000;

/** Wait after a failed attempt, in milliseconds: 1 s after the first, doubled after each, at most 60 s. */
export function backOffMs(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
}
