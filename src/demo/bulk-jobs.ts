import { randomUUID } from 'node:crypto';
import {
  AccountsStatusDocument,
  ChangeAccountsDocument,
  ListAccountsDocument,
  MobileNameDocument,
  MobilesStatusDocument,
  UpdateMobilesDocument,
  type AccountsStatusQuery,
  type ListAccountsQuery,
  type MobilesStatusQuery,
  type MobileUpdateInput,
  type OutcomeFragment,
  type UserAccountOperationInput,
} from '../../generated/demo-operations.js';
import type { Mobile } from './fleet.js';
import { awaitJob, type Answer, type GraphQLClient, type Waiting } from './graphql-client.js';
import { check } from './steps.js';

/** Prints the outcome of a job, and checks that the item at an index failed and no other one. */
function checkOneFailure({ status, errors }: OutcomeFragment, index: number, label: string, { print }: Waiting): void {
  print(`   Status   ${status}, because one item was meant to fail`);
  print(`   Errors   ${(errors ?? []).join('; ')}`);
  check(status === 'Failure', `The status is ${status} instead of Failure.`);
  check(
    errors?.length === 1 && errors[0]?.startsWith(`[${index}] ${label}: `) === true,
    `Only item ${index} was meant to fail.`,
  );
}

/** Waits without progress, for a job whose progress was shown before. */
function quiet(waiting: Waiting): Waiting {
  return { ...waiting, progress: () => undefined };
}

type AccountPage = Answer<ListAccountsQuery>;
type Account = NonNullable<AccountPage['edges'][number]['node']>;

/** Values of `type` (specification, "Bulk user account operation item"). */
const CREATE = 0;
const UPDATE = 1;
const DELETE = 2;

/** Login ids unique to this run of the demo. */
export interface DemoAccounts {
  readonly first: string;
  readonly second: string;
  /** Never created. */
  readonly unknown: string;
}

/** Generates login ids. */
export function nameAccounts(): DemoAccounts {
  const prefix = `demo-${randomUUID().slice(0, 8)}`;
  return { first: `${prefix}-1`, second: `${prefix}-2`, unknown: `${prefix}-unknown` };
}

const NEW_NAME = '試用 一郎 (updated)';

/** Orders two new accounts, an update of one, and the deletion of one that does not exist. @returns job id */
export function orderAccountChanges(client: GraphQLClient, accounts: DemoAccounts): Promise<string> {
  const { first, second, unknown } = accounts;
  return startAccountsJob(client, [
    { type: CREATE, userAccountInput: { loginId: first, password: randomUUID(), name: '試用 一郎' } },
    { type: CREATE, userAccountInput: { loginId: second, password: randomUUID(), name: 'Trial Two' } },
    { type: UPDATE, userAccountInput: { loginId: first, name: NEW_NAME } },
    { type: DELETE, userAccountInput: { loginId: unknown } },
  ]);
}

/** Waits for the changes and checks that they succeeded, except the last, which must fail. */
export async function checkAccountChanges(
  client: GraphQLClient,
  waiting: Waiting,
  { first, second, unknown }: DemoAccounts,
  jobId: string,
): Promise<void> {
  const outcome = await awaitAccountsJob(client, waiting, jobId);
  checkOneFailure(outcome, 3, unknown, waiting);
  const created = outcome.createdUserAccountId ?? [];
  waiting.print(`   Created  ${created.join(', ')}`);
  const found = await findAccounts(client, [first, second]);
  check(found.length === 2, `${found.length} of 2 accounts were created.`);
  check(
    created.length === 2 && found.every(({ id }) => created.includes(id)),
    'The created ids are not those of the accounts.',
  );
  check(
    found.some(({ loginId, name }) => loginId === first && name === NEW_NAME),
    `${first} was not updated.`,
  );
}

/**
 * Deletes those of the accounts that exist.
 *
 * @param jobId job that creates them; awaited, because it may still be running
 */
export async function deleteAccounts(
  client: GraphQLClient,
  waiting: Waiting,
  { first, second }: DemoAccounts,
  jobId: string | undefined,
): Promise<void> {
  if (jobId !== undefined) await awaitAccountsJob(client, quiet(waiting), jobId);
  const left = await findAccounts(client, [first, second]);
  if (left.length === 0) return;
  const deletions = left.map(({ loginId }) => ({ type: DELETE, userAccountInput: { loginId } }));
  const { status, errors } = await awaitAccountsJob(client, waiting, await startAccountsJob(client, deletions));
  check(status === 'Success', `Accounts could not be deleted: ${(errors ?? []).join('; ')}`);
  check((await findAccounts(client, [first, second])).length === 0, 'Deleted accounts are still listed.');
  waiting.print(`   Deleted ${left.map(({ loginId }) => loginId).join(', ')}`);
}

async function startAccountsJob(client: GraphQLClient, items: readonly UserAccountOperationInput[]): Promise<string> {
  return (await client.request(ChangeAccountsDocument, { items })).jobId;
}

function awaitAccountsJob(
  client: GraphQLClient,
  waiting: Waiting,
  jobId: string,
): Promise<Answer<AccountsStatusQuery>> {
  return awaitJob(() => client.request(AccountsStatusDocument, { jobId }), waiting);
}

async function findAccounts(client: GraphQLClient, loginIds: readonly string[]): Promise<readonly Account[]> {
  const found: Account[] = [];
  let after: string | null = null;
  do {
    const { edges, pageInfo }: AccountPage = await client.request(ListAccountsDocument, { after });
    found.push(...edges.flatMap(({ node }) => node ?? []).filter(({ loginId }) => loginIds.includes(loginId)));
    after = pageInfo.endCursor;
  } while (after !== null);
  return found;
}

/** Largest GraphQL Int, beyond the tag ids of any organisation. */
const UNKNOWN_TAG = 2_147_483_647;

/** Mobiles of this step: one to rename, and one with a change that fails. */
export interface DemoMobiles {
  readonly renamed: Mobile;
  readonly refused: Mobile;
}

/** Orders a new name for one mobile, and a tag that does not exist for another. @returns job id */
export function orderMobileUpdates(client: GraphQLClient, { renamed, refused }: DemoMobiles): Promise<string> {
  return startMobilesJob(client, [
    { id: renamed.id, name: newNameOf(renamed) },
    { id: refused.id, tagIds: [UNKNOWN_TAG] },
  ]);
}

/** Waits for the updates and checks that the first succeeded and the last failed. */
export async function checkMobileUpdates(
  client: GraphQLClient,
  waiting: Waiting,
  { renamed, refused }: DemoMobiles,
  jobId: string,
): Promise<void> {
  checkOneFailure(await awaitMobilesJob(client, waiting, jobId), 1, String(refused.id), waiting);
  const name = newNameOf(renamed);
  check((await nameOf(client, renamed)) === name, `Mobile ${renamed.id} was not renamed.`);
  waiting.print(`   Renamed  ${renamed.name} to ${name}`);
}

/**
 * Restores the name of the renamed mobile.
 *
 * @param jobId job that renames it; awaited, because it may still be running
 */
export async function restoreName(
  client: GraphQLClient,
  waiting: Waiting,
  renamed: Mobile,
  jobId: string | undefined,
): Promise<void> {
  if (jobId !== undefined) await awaitMobilesJob(client, quiet(waiting), jobId);
  const { id, name } = renamed;
  if ((await nameOf(client, renamed)) === name) return;
  const restoring = await startMobilesJob(client, [{ id, name }]);
  const { status, errors } = await awaitMobilesJob(client, waiting, restoring);
  check(status === 'Success', `Mobile ${id} could not be given its name back: ${(errors ?? []).join('; ')}`);
  check((await nameOf(client, renamed)) === name, `Mobile ${id} was not given its name back.`);
  waiting.print(`   Renamed ${id} back to ${name}`);
}

function newNameOf({ name }: Mobile): string {
  return `${name} (demo)`;
}

async function nameOf(client: GraphQLClient, { id }: Mobile): Promise<string> {
  return (await client.request(MobileNameDocument, { id })).name;
}

async function startMobilesJob(client: GraphQLClient, items: readonly MobileUpdateInput[]): Promise<string> {
  return (await client.request(UpdateMobilesDocument, { items })).jobId;
}

function awaitMobilesJob(client: GraphQLClient, waiting: Waiting, jobId: string): Promise<Answer<MobilesStatusQuery>> {
  return awaitJob(() => client.request(MobilesStatusDocument, { jobId }), waiting);
}
