import { expect } from '@jest/globals';
import type { Journal } from '../support/test-sandbox.js';
import type { AccountItem, BulkReply } from '../support/job-requests.js';

/**
 * Holds a finished job of creates against what backend-api did: every account exactly once, in the order of the
 * items, and every id in the reply.
 *
 * @returns how many creates were sent a second time, with the key they had
 */
export function expectEveryAccountOnce(
  journal: Journal,
  jobId: string,
  items: readonly AccountItem[],
  replyText: string,
): { readonly repeated: number } {
  const wanted = items.map(({ userAccountInput }) => userAccountInput.loginId);
  const effects = journal.effects('userAccountCreated').filter(({ loginId }) => wanted.includes(loginId));
  expect(effects.map(({ loginId }) => loginId)).toEqual(wanted);
  const reply = JSON.parse(replyText) as BulkReply; // a reply of the callback, held against the journal here
  expect(reply).toEqual({ status: 'Success', data: { created_user_account_id: effects.map(({ id }) => id) } });

  const keys = journal
    .requests({ operation: 'createUserAccount' })
    .flatMap(({ idempotencyKey }) => (idempotencyKey?.startsWith(`acme:${jobId}:`) ? [idempotencyKey] : []));
  const inOrder = [...new Set(keys)];
  expect(inOrder).toEqual(items.map((_, index) => `acme:${jobId}:${index}`));
  expect(journal.contractViolations()).toEqual([]);
  return { repeated: keys.length - inOrder.length };
}
