import { randomUUID } from 'node:crypto';
import {
  AccountsStatusDocument,
  ChangeAccountsDocument,
  ListAccountsDocument,
  type AccountsStatusQuery,
  type ListAccountsQuery,
  type UserAccountOperationInput,
} from '../../generated/demo-operations.js';
import { type Answer, type GraphQLClient, awaitJob, type Waiting } from './graphql-client.js';
import { check } from './steps.js';

type AccountsStatus = Answer<AccountsStatusQuery>;
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
export async function orderAccountChanges(client: GraphQLClient, accounts: DemoAccounts): Promise<string> {
  const { first, second, unknown } = accounts;
  return startJob(client, [
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
  const { status, errors, createdUserAccountId } = await awaitAccountsJob(client, waiting, jobId);
  const created = createdUserAccountId ?? [];
  waiting.print(`   Status   ${status}, because one item was meant to fail`);
  waiting.print(`   Errors   ${(errors ?? []).join('; ')}`);
  waiting.print(`   Created  ${created.join(', ')}`);

  check(status === 'Failure', `The status is ${status} instead of Failure.`);
  check(errors?.length === 1 && errors[0]?.startsWith(`[3] ${unknown}: `) === true, 'Only item 3 was meant to fail.');
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
  if (jobId !== undefined) await awaitAccountsJob(client, waiting, jobId);
  const left = await findAccounts(client, [first, second]);
  if (left.length === 0) return;
  const deletion = await startJob(
    client,
    left.map(({ loginId }) => ({ type: DELETE, userAccountInput: { loginId } })),
  );
  const { status, errors } = await awaitAccountsJob(client, waiting, deletion);
  check(status === 'Success', `Accounts could not be deleted: ${(errors ?? []).join('; ')}`);
  check((await findAccounts(client, [first, second])).length === 0, 'Deleted accounts are still listed.');
  waiting.print(`   Deleted ${left.map(({ loginId }) => loginId).join(', ')}`);
}

async function startJob(client: GraphQLClient, items: readonly UserAccountOperationInput[]): Promise<string> {
  return (await client.request(ChangeAccountsDocument, { items })).jobId;
}

async function awaitAccountsJob(client: GraphQLClient, waiting: Waiting, jobId: string): Promise<AccountsStatus> {
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
