import type { DeadLetter, JobMessage } from '../../job-record/job-queue.js';
import { fieldsOf, parseMessage, text, wholeNumber } from '../../job-record/stored-message.js';
import type { DamagedEntries } from './damaged-entries.js';
import type { LmdbDatabase } from './database.js';
import type { LmdbMessages } from './messages.js';
import { Table, type TimedKey } from './table.js';

type EarlierLetter = Pick<DeadLetter, 'reason' | 'attempts' | 'diedAt'> & { readonly message: JobMessage };

/** Takes over dead letters that earlier builds kept in a table of their own, each with its message. */
export async function adoptEarlierDeadLetters(
  { database, messages, damaged }: AdoptionParts,
  now: number,
): Promise<void> {
  const earlier = new Table<EarlierLetter, TimedKey>(database, 'queue-dead-letters', parseEarlier);
  if (earlier.keys({ limit: 1 }).length === 0) return;
  await database.transact(() => {
    for (const key of damaged.keys(earlier, {}, now)) {
      const letter = damaged.read(earlier, key, now);
      if (letter !== undefined) messages.addDeadLetter(letter.message, letter);
      earlier.remove(key);
    }
  });
}

/** Where they come from, and where they go. */
export interface AdoptionParts {
  readonly database: LmdbDatabase;
  readonly messages: LmdbMessages;
  readonly damaged: DamagedEntries;
}

function parseEarlier(stored: unknown): EarlierLetter {
  const fields = fieldsOf(stored, 'dead letter');
  return {
    message: parseMessage(fields.get('message')),
    reason: text(fields, 'reason'),
    attempts: wholeNumber(fields, 'attempts'),
    diedAt: wholeNumber(fields, 'diedAt'),
  };
}
