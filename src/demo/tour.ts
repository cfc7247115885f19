import { orderReport, saveReport, yesterdayInJapan } from './driving-report.js';
import { listMobiles } from './fleet.js';
import type { GraphQLClient } from './graphql-client.js';
import type { Waiting } from './job-polling.js';
import { checkMobileUpdates, orderMobileUpdates, restoreName } from './mobile-updates.js';
import { showUser } from './session.js';
import type { Step } from './steps.js';
import { checkAccountChanges, deleteAccounts, nameAccounts, orderAccountChanges } from './user-accounts.js';

/** Takes back a change; does nothing where the change was not made. */
export type Undo = (client: GraphQLClient, waiting: Waiting) => Promise<void>;

/** What the tour is taken with. */
export interface TourOptions extends Waiting {
  /** Logged in. */
  readonly client: GraphQLClient;
  /** The same, not to be interrupted: whether a job was started must be known. */
  readonly steadyClient: GraphQLClient;
  readonly step: Step;
  /** Takes what must be undone, before the change is made. */
  readonly undo: Undo[];
  /** Base path included. */
  readonly gatewayUrl: string;
  /** Where the report is saved. */
  readonly directory: string;
  /** Width that tables fit into. */
  readonly columns: number;
}

/**
 * What an operator does with the gateway: look at mobiles, order a driving report, change accounts and mobiles
 * in bulk. One item of each bulk job is meant to fail, to show how that looks.
 *
 * @throws {StepError} naming the step that did not turn out as it must
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

/** Id of a job, unless it could not be started. */
async function ifStarted(job: Promise<string>): Promise<string | undefined> {
  return job.catch(() => undefined);
}
