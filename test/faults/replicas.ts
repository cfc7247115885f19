import { expect } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { BuiltPrograms, ServingProgram } from '../support/built-programs.js';
import { callBack, productionAt } from '../support/gateway.js';
import { jobHeaders, USER_ACCOUNTS, type AccountItem, type BulkReply } from '../support/job-requests.js';
import type { Journal } from '../support/test-sandbox.js';
import { waitFor } from '../support/wait-for.js';

/** A short lease, because its end is waited for after every crash; a shorter one is lost while the machine is busy. */
const LEASE = { JOB_LEASE_SECONDS: '2' };

export interface CallbackReply {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/**
 * Starts gateways on the same stores: two, of which one is killed while the other one stands by, so that a redelivery
 * does not have to wait for the restart; or one, where the stores are embedded.
 */
export async function startReplicas(
  programs: BuiltPrograms,
  sandbox: Sandbox,
  stores: NodeJS.ProcessEnv,
  gateways: 1 | 2,
) {
  const start = (): Promise<ServingProgram> => programs.startGateway({ ...productionAt(sandbox), ...LEASE, ...stores });
  const first = await start();
  const second = gateways === 2 ? await start() : undefined;
  let serving = Promise.resolve(first);
  let standby = second && Promise.resolve(second);
  return {
    serving: () => serving,
    both: () => Promise.all([serving, standby ?? serving]),
    /** Kills the serving process (`kill -9`) and restarts it; the other one, if there is one, serves from now on. */
    async kill(): Promise<void> {
      await (await serving).kill();
      const restarted = start();
      serving = standby ?? restarted;
      standby &&= restarted;
    },
  };
}

/** Delivers an account job once. @returns undefined when the connection was cut */
export function deliverAccounts(
  url: string,
  jobId: string,
  items: readonly AccountItem[],
): Promise<CallbackReply | undefined> {
  return deliver(`${url}${USER_ACCOUNTS}`, jobId, items);
}

async function deliver(callback: string, jobId: string, items: readonly object[]): Promise<CallbackReply | undefined> {
  try {
    const response = await callBack(callback, items, jobHeaders(jobId));
    const { status, headers } = response;
    return { status, text: await response.text(), replayed: headers.get('x-job-replayed') === 'true' };
  } catch {
    return undefined;
  }
}

/**
 * Delivers a bulk job as a queue does: until there is a 200. Any status but 409 and 503 is a failure.
 *
 * @param callback the path that it goes to; that of accounts by default
 */
export async function deliverUntilHandled(
  target: () => Promise<{ readonly url: string }>,
  jobId: string,
  items: readonly object[],
  callback = USER_ACCOUNTS,
): Promise<CallbackReply> {
  return waitFor(`job ${jobId} to be handled`, async () => {
    const reply = await deliver(`${(await target()).url}${callback}`, jobId, items);
    if (reply?.status === 200) return reply;
    if (reply !== undefined && reply.status !== 409 && reply.status !== 503) {
      throw new Error(`A delivery ended with ${reply.status}: ${reply.text}`);
    }
    return undefined;
  });
}

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
