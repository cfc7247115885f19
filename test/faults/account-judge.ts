import { expect } from '@jest/globals';
import type { Journal } from '../../src/sandbox/sandbox.js';
import type { AccountItem, BulkReply } from '../support/job-requests.js';

/**
 * Holds a finished job of creates against what backend-api did: every account exactly once, in the order of the
 * items, and every id in the reply. The journal must hold nothing but this job.
 *
 * @returns how many creates were sent a second time, with the key they had
 */
export function expectEveryAccountOnce(
  journal: Journal,
  jobId: string,
  items: readonly AccountItem[],
  replyText: string,
): { readonly repeated: number } {
  const effects = journal.effects('userAccountCreated');
  expect(effects.map(({ loginId }) => loginId)).toEqual(items.map(({ userAccountInput }) => userAccountInput.loginId));
  const reply = JSON.parse(replyText) as BulkReply; // a reply of the callback, held against the journal here
  expect(reply).toEqual({ status: 'Success', data: { created_user_account_id: effects.map(({ id }) => id) } });

  const keys = journal.requests({ operation: 'createUserAccount' }).map(({ idempotencyKey }) => idempotencyKey);
  const inOrder = [...new Set(keys)];
  expect(inOrder).toEqual(items.map((_, index) => `acme:${jobId}:${index}`));
  expect(journal.contractViolations()).toEqual([]);
  return { repeated: keys.length - inOrder.length };
}
