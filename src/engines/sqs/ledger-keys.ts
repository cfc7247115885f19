import { KEY_PREFIX } from '../redis/key-prefix.js';

/** Sorted sets of all jobs, in the slot of the entries; `ledger-scripts.ts` says by what each is sorted. */
export const SETS = {
  queued: `${KEY_PREFIX}:sqs:queued`,
  held: `${KEY_PREFIX}:sqs:held`,
  delayed: `${KEY_PREFIX}:sqs:delayed`,
  dead: `${KEY_PREFIX}:sqs:dead`,
} as const;

/** Key of what is noted of one message. @param id as the sets name it */
export function entryKey(id: string): string {
  return `${KEY_PREFIX}:sqs:job:${id}`;
}
