/** Error for invalid arguments of a program; the message is a sentence that names the argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Error for a command that cannot be carried out; the message is a sentence that says why. */
export class RefusedCommandError extends Error {
  override readonly name = 'RefusedCommandError';
}
