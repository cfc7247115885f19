import { accountChanges, mobileUpdates } from './bulk-jobs.js';
import { orderReport, saveReport, yesterdayInJapan } from './driving-report.js';
import { listMobiles } from './fleet.js';
import type { GraphQLClient, Visit } from './graphql-client.js';
import { check, type DemoStep } from './steps.js';
import { LogInDocument, WhoAmIDocument } from '../../../generated/demo-operations.js';

/** Logs in. @returns the access token */
export async function logInUser(
  { client, print }: Visit,
  login: { readonly loginId: string; readonly password: string },
): Promise<string> {
  const { session, otpRequired } = await client.request(LogInDocument, login);
  check(!otpRequired, `${login.loginId} needs a one-time password; set LOGIN_ID to a user who does not.`);
  check(session !== null, 'The gateway gave no session.');
  print(`   ${login.loginId} is logged in for ${Math.floor(session.expiresIn / 60)} minutes.`);
  return session.accessToken;
}

/** Shows the user of the token, who must be an administrator, because the demo changes user accounts. */
async function showUser({ client, print }: Visit): Promise<void> {
  const me = await client.request(WhoAmIDocument, {});
  print(`   ${me.BackendUser} of ${me.Org} in ${me.Region}${me.IsAdmin ? ', administrator' : ''}`);
  check(me.IsAdmin, `${me.BackendUser} is not an administrator; set LOGIN_ID to one.`);
}

/** Undoes a change, if it was made. */
export type Undo = (visit: Visit) => Promise<void>;

export interface TourOptions {
  /** Logged in. */
  readonly visit: Visit;
  /** Logged in, without interruption: the result of starting a job must be known. */
  readonly steadyClient: GraphQLClient;
  readonly step: DemoStep;
  /** Collects the undo of each change, before the change is made. */
  readonly undo: Undo[];
  readonly gatewayUrl: string;
  readonly directory: string;
  readonly columns: number;
}

/**
 * Does the work of an operator: lists mobiles, orders a driving report, changes accounts and mobiles in bulk. One item
 * of each bulk job fails on purpose, to show a failure.
 *
 * @throws {Error} naming the failed step
 */
export async function tour({ visit, steadyClient, step, undo, ...options }: TourOptions): Promise<void> {
  await step('Show who that is', () => showUser(visit));
  const mobiles = await step('List mobiles', () => listMobiles(visit, options.columns));

  const day = yesterdayInJapan(new Date());
  const link = await step('Order a driving report', () => orderReport(visit, day, mobiles));
  const file = { directory: options.directory, day };
  await step('Download the report', () => saveReport(visit, new URL(link, options.gatewayUrl), file));

  const changes = [
    ['Change user accounts', accountChanges()],
    ['Update mobiles', mobileUpdates(mobiles)],
  ] as const;
  for (const [title, change] of changes) {
    await step(title, async () => {
      const job = change.order({ ...visit, client: steadyClient });
      undo.push(async (later) => change.undo(later, await job.catch(() => undefined)));
      await change.check(visit, await job);
    });
  }
}
