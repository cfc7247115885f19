import { orderReport, saveReport, yesterdayInJapan } from './driving-report.js';
import { listMobiles } from './fleet.js';
import type { GraphQLClient } from './graphql-client.js';
import type { Waiting } from './job-polling.js';
import { checkMobileUpdates, orderMobileUpdates, restoreName } from './mobile-updates.js';
import { showUser } from './session.js';
import type { Step } from './steps.js';
import { checkAccountChanges, deleteAccounts, nameAccounts, orderAccountChanges } from './user-accounts.js';

/** Undoes a change, if it was made. */
export type Undo = (client: GraphQLClient, waiting: Waiting) => Promise<void>;

export interface TourOptions extends Waiting {
  /** Logged in. */
  readonly client: GraphQLClient;
  /** Logged in, without interruption: the result of starting a job must be known. */
  readonly steadyClient: GraphQLClient;
  readonly step: Step;
  /** Collects the undo of each change, before the change is made. */
  readonly undo: Undo[];
  /** Base path included. */
  readonly gatewayUrl: string;
  /** Folder of the saved report. */
  readonly directory: string;
  /** Limit of the width of tables. */
  readonly columns: number;
}

/**
 * Does the work of an operator: lists mobiles, orders a driving report, changes accounts and mobiles in bulk. One item
 * of each bulk job fails on purpose, to show a failure.
 *
 * @throws {StepError} naming the failed step
 */
export async function tour(options: TourOptions): Promise<void> {
  const { client, steadyClient, step, undo, gatewayUrl, directory, columns, ...waiting } = options;
  const { print } = waiting;
  await step('Show who that is', () => showUser(client, print));
  const mobiles = await step('List mobiles', () => listMobiles(client, print, columns));

  const day = yesterdayInJapan(new Date());
  const link = await step('Order a driving report', () => orderReport(client, day, mobiles, waiting));
  await step('Download the report', () => saveReport(new URL(link, gatewayUrl), { directory, day }, waiting));

  await step('Change user accounts', async () => {
    const accounts = nameAccounts();
    const job = orderAccountChanges(steadyClient, accounts);
    undo.push(async (...again) => deleteAccounts(...again, accounts, await ifStarted(job)));
    await checkAccountChanges(client, waiting, accounts, await job);
  });
  await step('Update mobiles', async () => {
    const [renamed, refused] = mobiles;
    const job = orderMobileUpdates(steadyClient, { renamed, refused });
    undo.push(async (...again) => restoreName(...again, renamed, await ifStarted(job)));
    await checkMobileUpdates(client, waiting, { renamed, refused }, await job);
  });
}

/** Returns the id of a job; undefined if it failed to start. */
async function ifStarted(job: Promise<string>): Promise<string | undefined> {
  return job.catch(() => undefined);
}
