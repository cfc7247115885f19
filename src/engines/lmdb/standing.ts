import { fieldsOf, text, wholeNumber } from '../../job-record/stored-message.js';

/** Where a message stands; kept apart from the message, which may be large, because it changes often. */
export interface Standing {
  /** Attempts started, the one in hand included. */
  readonly attempts: number;
  /** When it may be taken: now, after a back-off, or when the lease of its consumer runs out. */
  readonly dueAt: number;
  /** Present while it is in a consumer's hand. */
  readonly token?: string;
}

/** Reads a stored standing back. @throws {DamagedMessageError} when it is none */
export function parseStanding(stored: unknown): Standing {
  const fields = fieldsOf(stored, 'standing');
  const standing = { attempts: wholeNumber(fields, 'attempts'), dueAt: wholeNumber(fields, 'dueAt') };
  return fields.get('token') === undefined ? standing : { ...standing, token: text(fields, 'token') };
}
