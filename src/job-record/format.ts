import { ServiceUnavailableError } from '../errors.js';

/**
 * Format of the records and messages that this version writes. It is raised by one when a version that does not know
 * the new one could do harm with it. A field that others may ignore does not raise it. Formats up to it can be read;
 * data without a number has the first.
 */
export const FORMAT = 1;

/** A newer version has written this. It is left alone until a process comes that can read it. */
export class NewerFormatError extends ServiceUnavailableError {
  /** @param what the object, such as `The record` */
  constructor(what: string, format: number) {
    const text =
      `${what} has format ${format}, and this version knows formats up to ${FORMAT}: a newer version wrote it. ` +
      'It waits for one; finish the update, or go back to the newer version.';
    super('job store', { cause: new Error(text) });
  }
}

/**
 * Checks a stored format against the readable ones.
 *
 * @param format undefined if none was stored
 * @throws {NewerFormatError} when it is newer
 */
export function requireKnownFormat(what: string, format: number | undefined): void {
  if (format !== undefined && format > FORMAT) throw new NewerFormatError(what, format);
}
