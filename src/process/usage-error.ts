/** Error for invalid arguments of a program; the message is a sentence that names the argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
