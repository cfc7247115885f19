/** Longer than operations run before the event loop turns. */
export const WHOLE_SLICE_MS = 10;

/** Does nothing else for a while. */
export function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
