import {
  checkAccountChanges,
  checkMobileUpdates,
  deleteAccounts,
  nameAccounts,
  orderAccountChanges,
  orderMobileUpdates,
  restoreName,
} from './bulk-jobs.js';
import { orderReport, saveReport, yesterdayInJapan } from './driving-report.js';
import { listMobiles } from './fleet.js';
import type { GraphQLClient, Waiting } from './graphql-client.js';
import { type Step, check } from './steps.js';
import { LogInDocument, WhoAmIDocument } from '../../generated/demo-operations.js';

/** Logs in. @returns the access token */
export async function logIn(
  client: GraphQLClient,
  login: { readonly loginId: string; readonly password: string },
  print: (line: string) => void,
): Promise<string> {
  const { session, otpRequired } = await client.request(LogInDocument, login);
  check(!otpRequired, `${login.loginId} needs a one-time password; set LOGIN_ID to somebody who does not.`);
  check(session !== null, 'The gateway gave no session.');
  print(`   ${login.loginId} is logged in for ${Math.floor(session.expiresIn / 60)} minutes.`);
  return session.accessToken;
}

/** Shows the user of the token. It must be an administrator, because the demo changes user accounts. */
async function showUser(client: GraphQLClient, print: (line: string) => void): Promise<void> {
  const me = await client.request(WhoAmIDocument, {});
  print(`   ${me.BackendUser} of ${me.Org} in ${me.Region}${me.IsAdmin ? ', administrator' : ''}`);
  check(me.IsAdmin, `${me.BackendUser} is not an administrator; set LOGIN_ID to one.`);
}

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
 * @throws {Error} naming the failed step
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
