import { randomUUID } from 'node:crypto';
import {
  AccountsStatusDocument,
  ChangeAccountsDocument,
  ListAccountsDocument,
  MobileNameDocument,
  MobilesStatusDocument,
  UpdateMobilesDocument,
  type ListAccountsQuery,
  type MobileUpdateInput,
  type OutcomeFragment,
  type UserAccountOperationInput,
} from '../../../generated/demo-operations.js';
import type { Mobiles } from './fleet.js';
import { awaitJob, type RootField, type Visit } from './graphql-client.js';
import { check } from './steps.js';

/** A bulk job of the demo; its last item fails on purpose. */
export interface BulkJob {
  /** Orders the job. @returns its id */
  order(visit: Visit): Promise<string>;
  /** Waits for the job and checks that all items but the last succeeded. */
  check(visit: Visit, jobId: string): Promise<void>;
  /** Undoes what the job has done. @param jobId awaited, as the job may still run; undefined if it did not start */
  undo(visit: Visit, jobId: string | undefined): Promise<void>;
}

/** Prints the outcome of a job, and checks that the item at an index failed and no other one. */
function checkOneFailure({ print }: Visit, { status, errors }: OutcomeFragment, index: number, label: string): void {
  print(`   Status   ${status}, because one item was meant to fail`);
  print(`   Errors   ${(errors ?? []).join('; ')}`);
  check(status === 'Failure', `The status is ${status} instead of Failure.`);
  check(
    errors?.length === 1 && errors[0]?.startsWith(`[${index}] ${label}: `) === true,
    `Only item ${index} was meant to fail.`,
  );
}

function checkSuccess({ status, errors }: OutcomeFragment, complaint: string): void {
  check(status === 'Success', `${complaint}: ${(errors ?? []).join('; ')}`);
}

/** Does not show the progress of a job, which was shown before. */
function quiet(visit: Visit): Visit {
  return { ...visit, progress: () => undefined };
}

const NEW_NAME = '試用 一郎 (updated)';

/** Makes the job of two new accounts, an update of one, and the deletion of one that does not exist. */
export function accountChanges(): BulkJob {
  // Unique to this run of the demo.
  const prefix = `demo-${randomUUID().slice(0, 8)}`;
  const [first, second, unknown] = [`${prefix}-1`, `${prefix}-2`, `${prefix}-unknown`];
  const start = async ({ client }: Visit, items: readonly UserAccountOperationInput[]): Promise<string> =>
    (await client.request(ChangeAccountsDocument, { items })).jobId;
  const outcomeOf = (visit: Visit, jobId: string) =>
    awaitJob(visit, () => visit.client.request(AccountsStatusDocument, { jobId }));
  const created = (visit: Visit): Promise<readonly Account[]> => findAccounts(visit, [first, second]);
  return {
    order: (visit) =>
      start(visit, [
        { type: 'CREATE', userAccountInput: { loginId: first, password: randomUUID(), name: '試用 一郎' } },
        { type: 'CREATE', userAccountInput: { loginId: second, password: randomUUID(), name: 'Trial Two' } },
        { type: 'UPDATE', userAccountInput: { loginId: first, name: NEW_NAME } },
        { type: 'DELETE', userAccountInput: { loginId: unknown } },
      ]),
    async check(visit, jobId) {
      const outcome = await outcomeOf(visit, jobId);
      checkOneFailure(visit, outcome, 3, unknown);
      const ids = outcome.createdUserAccountId ?? [];
      visit.print(`   Created  ${ids.join(', ')}`);
      const found = await created(visit);
      check(found.length === 2, `${found.length} of 2 accounts were created.`);
      const areThose = ids.length === 2 && found.every(({ id }) => ids.includes(id));
      check(areThose, 'The created ids are not those of the accounts.');
      const isUpdated = found.some(({ loginId, name }) => loginId === first && name === NEW_NAME);
      check(isUpdated, `${first} was not updated.`);
    },
    async undo(visit, jobId) {
      if (jobId !== undefined) await outcomeOf(quiet(visit), jobId);
      const left = await created(visit);
      if (left.length === 0) return;
      const deletions = left.map(({ loginId }) => ({ type: 'DELETE', userAccountInput: { loginId } }) as const);
      checkSuccess(await outcomeOf(visit, await start(visit, deletions)), 'Accounts could not be deleted');
      check((await created(visit)).length === 0, 'Deleted accounts are still listed.');
      visit.print(`   Deleted ${left.map(({ loginId }) => loginId).join(', ')}`);
    },
  };
}

type AccountPage = RootField<ListAccountsQuery>;
type Account = NonNullable<AccountPage['edges'][number]['node']>;

async function findAccounts({ client }: Visit, loginIds: readonly string[]): Promise<readonly Account[]> {
  const found: Account[] = [];
  let after: string | null = null;
  do {
    const { edges, pageInfo }: AccountPage = await client.request(ListAccountsDocument, { after });
    found.push(...edges.flatMap(({ node }) => node ?? []).filter(({ loginId }) => loginIds.includes(loginId)));
    after = pageInfo.endCursor;
  } while (after !== null);
  return found;
}

/** Largest identifier, beyond the tag ids of any organisation. */
const UNKNOWN_TAG = String(Number.MAX_SAFE_INTEGER);

/** Makes the job of a new name for the first mobile, and of a tag that does not exist for the second. */
export function mobileUpdates([{ id, name }, refused]: Mobiles): BulkJob {
  const newName = `${name} (demo)`;
  const start = async ({ client }: Visit, items: readonly MobileUpdateInput[]): Promise<string> =>
    (await client.request(UpdateMobilesDocument, { items })).jobId;
  const outcomeOf = (visit: Visit, jobId: string) =>
    awaitJob(visit, () => visit.client.request(MobilesStatusDocument, { jobId }));
  const nameNow = async ({ client }: Visit): Promise<string> => (await client.request(MobileNameDocument, { id })).name;
  return {
    order: (visit) =>
      start(visit, [
        { id, name: newName },
        { id: refused.id, tagIds: [UNKNOWN_TAG] },
      ]),
    async check(visit, jobId) {
      checkOneFailure(visit, await outcomeOf(visit, jobId), 1, refused.id);
      check((await nameNow(visit)) === newName, `Mobile ${id} was not renamed.`);
      visit.print(`   Renamed  ${name} to ${newName}`);
    },
    async undo(visit, jobId) {
      if (jobId !== undefined) await outcomeOf(quiet(visit), jobId);
      if ((await nameNow(visit)) === name) return;
      const outcome = await outcomeOf(visit, await start(visit, [{ id, name }]));
      checkSuccess(outcome, `Mobile ${id} could not be given its name back`);
      check((await nameNow(visit)) === name, `Mobile ${id} was not given its name back.`);
      visit.print(`   Renamed ${id} back to ${name}`);
    },
  };
}
