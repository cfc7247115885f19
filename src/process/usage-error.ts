/** The arguments of a program cannot be used; the message says which one, as a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
