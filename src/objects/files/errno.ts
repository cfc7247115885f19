/** Returns the code of an error of the operating system, such as `ENOENT`; empty for any other error. */
export function errnoOf(error: unknown): string {
  // No class check: errors of the system may come from another realm.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
