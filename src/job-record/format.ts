import { ServiceUnavailableError } from '../errors.js';

/**
 * Format of the records and messages that this version writes. It is raised by one when a version that does not know
 * the new one could do harm with it; a field that others may ignore does not raise it. Every format up to it can be
 * read, and what bears no number is of the first.
 */
export const FORMAT = 1;

/** A newer version has written this. It is left alone until somebody comes who can read it. */
export class NewerFormatError extends ServiceUnavailableError {
  /** @param what it is, such as `The record` */
  constructor(what: string, format: number) {
    const text =
      `${what} has format ${format}, and this version knows formats up to ${FORMAT}: a newer version wrote it. ` +
      'It waits for one; finish the update, or go back to the newer version.';
    super('job store', { cause: new Error(text) });
  }
}

/**
 * Holds a format that was stored against those that can be read.
 *
 * @param format undefined where nothing was stored
 * @throws {NewerFormatError} when it is none of them
 */
export function requireKnownFormat(what: string, format: number | undefined): void {
  if (format !== undefined && format > FORMAT) throw new NewerFormatError(what, format);
}
