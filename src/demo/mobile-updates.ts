import {
  MobileNameDocument,
  MobilesStatusDocument,
  UpdateMobilesDocument,
  type MobilesStatusQuery,
  type MobileUpdateInput,
} from '../../generated/demo-operations.js';
import type { Mobile } from './fleet.js';
import { type Answer, type GraphQLClient, awaitJob, type Waiting } from './graphql-client.js';
import { check } from './steps.js';

/** Largest GraphQL Int, beyond the tag ids of any organisation. */
const UNKNOWN_TAG = 2_147_483_647;

/** Mobiles of this step: one to rename, and one with a change that fails. */
export interface DemoMobiles {
  readonly renamed: Mobile;
  readonly refused: Mobile;
}

/** Orders a new name for one mobile, and a tag that does not exist for another. @returns job id */
export async function orderMobileUpdates(client: GraphQLClient, { renamed, refused }: DemoMobiles): Promise<string> {
  return startJob(client, [
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
  const name = newNameOf(renamed);
  const { status, errors } = await awaitMobilesJob(client, waiting, jobId);
  waiting.print(`   Status   ${status}, because one item was meant to fail`);
  waiting.print(`   Errors   ${(errors ?? []).join('; ')}`);

  check(status === 'Failure', `The status is ${status} instead of Failure.`);
  check(
    errors?.length === 1 && errors[0]?.startsWith(`[1] ${refused.id}: `) === true,
    'Only item 1 was meant to fail.',
  );
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
  if (jobId !== undefined) await awaitMobilesJob(client, waiting, jobId);
  const { id, name } = renamed;
  if ((await nameOf(client, renamed)) === name) return;
  const { status, errors } = await awaitMobilesJob(client, waiting, await startJob(client, [{ id, name }]));
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

async function startJob(client: GraphQLClient, items: readonly MobileUpdateInput[]): Promise<string> {
  return (await client.request(UpdateMobilesDocument, { items })).jobId;
}

async function awaitMobilesJob(
  client: GraphQLClient,
  waiting: Waiting,
  jobId: string,
): Promise<Answer<MobilesStatusQuery>> {
  return awaitJob(() => client.request(MobilesStatusDocument, { jobId }), waiting);
}
