import { describeError } from '../errors.js';
import { startGateway, type DemoGateway } from './demo-gateway.js';
import { orderReport, saveReport, yesterdayInJapan } from './driving-report.js';
import { listMobiles } from './fleet.js';
import { createGraphQLClient, type GraphQLClient } from './graphql-client.js';
import type { Waiting } from './jobs.js';
import { restoreName, updateMobiles } from './mobile-updates.js';
import { logIn, showUser } from './session.js';
import { readSettings, type DemoEnvironment, type DemoSettings } from './settings.js';
import { check, numberedSteps, type Step } from './steps.js';
import { changeAccounts, deleteAccounts, nameAccounts } from './user-accounts.js';

/** What the demo needs of the process it runs in. */
export interface DemoOptions {
  readonly environment: DemoEnvironment;
  /** Where the report is saved. */
  readonly directory: string;
  /** Ends the demo early; what it changed is put back nevertheless. */
  readonly signal: AbortSignal;
  /** Takes a line of the story. */
  readonly print: (line: string) => void;
  /** Takes a line that says what went wrong. */
  readonly complain: (line: string) => void;
}

/** Something the demo changed, to be changed back. */
type Undo = (client: GraphQLClient, waiting: Waiting) => Promise<void>;

/** Longest time for putting everything back. */
const UNDO_LIMIT_MS = 60_000;

/**
 * Shows what the gateway is for, against a gateway of its own or that of `GATEWAY_URL`, and checks every answer.
 *
 * @returns whether every step was right; otherwise the failed one was named to `complain`
 */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { print, complain, signal } = options;
  const step = numberedSteps(print);
  let isRight = true;
  const attempt = async (run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      isRight = false;
      complain(`\n${describeError(error)}`);
    }
  };

  await attempt(async () => {
    const settings = readSettings(options.environment);
    const gateway = await step('Find a gateway', () => findGateway(settings, options));
    const undo: Undo[] = [];
    let accessToken = '';
    await attempt(async () => {
      accessToken = await step('Log in', () => {
        return logIn(createGraphQLClient({ gatewayUrl: gateway.url, signal }), settings.login, print);
      });
      await showWork({ step, undo, gatewayUrl: gateway.url, accessToken }, options);
    });
    if (undo.length > 0) {
      const waiting = { print, signal: AbortSignal.timeout(UNDO_LIMIT_MS) };
      const client = createGraphQLClient({ gatewayUrl: gateway.url, accessToken, signal: waiting.signal });
      await attempt(() => step('Put everything back', async () => {
        const outcomes = await Promise.allSettled(undo.map((each) => each(client, waiting)));
        const failures = outcomes.flatMap((each) => each.status === 'rejected' ? [describeError(each.reason)] : []);
        check(failures.length === 0, failures.join(' '));
      }));
    }
    await attempt(() => gateway.close());
    if (isRight) print(`\nEvery step was right. Next: ${nextSteps(settings)}`);
  });
  return isRight;
}

interface Work {
  readonly step: Step;
  readonly undo: Undo[];
  readonly gatewayUrl: string;
  readonly accessToken: string;
}

async function showWork({ step, undo, gatewayUrl, accessToken }: Work, options: DemoOptions): Promise<void> {
  const { print, signal, directory } = options;
  const waiting = { print, signal };
  const client = createGraphQLClient({ gatewayUrl, accessToken, signal });

  await step('Show who that is', () => showUser(client, print));
  const mobiles = await step('List mobiles', () => listMobiles(client, print));

  const day = yesterdayInJapan(new Date());
  const link = await step('Order a driving report', () => orderReport(client, day, mobiles, waiting));
  await step('Download the report', () => saveReport(new URL(link, gatewayUrl), { directory, day }, waiting));

  const accounts = nameAccounts();
  undo.push((freshClient, unhurried) => deleteAccounts(freshClient, accounts, unhurried));
  await step('Change user accounts', () => changeAccounts(client, accounts, waiting));

  const [renamed, refused] = mobiles;
  check(renamed !== undefined && refused !== undefined, 'Two mobiles are needed.');
  undo.push((freshClient, unhurried) => restoreName(freshClient, renamed, unhurried));
  await step('Update mobiles', () => updateMobiles(client, { renamed, refused }, waiting));
}

async function findGateway({ gatewayUrl }: DemoSettings, { print, complain }: DemoOptions): Promise<DemoGateway> {
  if (gatewayUrl !== undefined) {
    print(`   ${gatewayUrl}, as GATEWAY_URL says`);
    return { url: gatewayUrl, close: () => Promise.resolve() };
  }
  const gateway = await startGateway(complain);
  print(`   ${gateway.url}, started for this demo with the built-in sandbox`);
  return gateway;
}

function nextSteps({ gatewayUrl }: DemoSettings): string {
  return gatewayUrl === undefined
    ? 'npm start, and open http://127.0.0.1:8080/playground'
    : `open ${gatewayUrl}/playground`;
}
