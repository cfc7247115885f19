import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../app.js';
import { loadConfig } from '../../base/config/load-config.js';
import type { Environment } from '../../base/config/config.js';
import { isOfObjectStore } from '../../base/config/variables.js';
import { readUrl } from '../../base/config/variable.js';
import { createLogger } from '../../base/logging/logger.js';
import type { CommandContext } from '../process/run-program.js';
import { createGraphQLClient, type Visit } from './graphql-client.js';
import { logInUser, tour, type Undo } from './tour.js';
import { describeRootCause, numberedSteps, type DemoStep, check } from './steps.js';

type DemoSettings = ReturnType<typeof readSettings>;

const SANDBOX_LOGIN = { loginId: 'demo', password: 'demo-password' };

/** Reads the settings. @throws {Error} naming the invalid variable */
function readSettings(environment: CommandContext['environment']) {
  const { GATEWAY_URL, LOGIN_ID, PASSWORD } = environment;
  if (!LOGIN_ID !== !PASSWORD) {
    throw new Error('Set both of LOGIN_ID and PASSWORD, or none to use those of the sandbox.');
  }
  const refuse = (fault: string): never => {
    throw new Error(fault);
  };
  return {
    /** Without a trailing slash; undefined: the demo starts a gateway. */
    gatewayUrl: GATEWAY_URL ? readUrl(GATEWAY_URL, { name: 'GATEWAY_URL', fault: refuse }) : undefined,
    login: LOGIN_ID && PASSWORD ? { loginId: LOGIN_ID, password: PASSWORD } : SANDBOX_LOGIN,
    /** Variables that choose the stores of the demo's own gateway; without any, these are in a temporary directory. */
    stores: Object.fromEntries(
      Object.entries(environment).filter(
        ([name]) => name === 'REDIS_URL' || name === 'JOB_ENCRYPTION_KEY' || isOfObjectStore(name),
      ),
    ),
  };
}

/** Process context of the demo. The report is saved in the working directory; after the signal, changes are undone. */
export type DemoOptions = Omit<CommandContext, 'args'>;

/** Time limit for undoing all changes. */
const UNDO_LIMIT_MS = 60_000;

/**
 * Demonstrates the gateway, with its own gateway or that of `GATEWAY_URL`, and checks every answer. Leaves only the
 * report behind.
 *
 * @returns whether every step was right; otherwise `complain` printed the failed step and the reason
 */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { print, complain } = options;
  const step = numberedSteps(print);
  let isRight = true;
  /** Records a failure, so that later work still runs. */
  const attempt = async (run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      isRight = false;
      complain(`\n${error instanceof Error ? error.message : String(error)}`);
    }
  };

  await attempt(async () => {
    const settings = readSettings(options.environment);
    const gateway = await step('Find a gateway', () => findGateway(settings, options));
    await attempt(() => visit(gateway.url, settings, step, attempt, options));
    await attempt(() => gateway.close());
    const playground =
      settings.gatewayUrl === undefined
        ? 'npm start, and open http://127.0.0.1:8080/playground'
        : `open ${settings.gatewayUrl}/playground`;
    if (isRight) print(`\nEvery step was right. Next: ${playground}`);
  });
  return isRight;
}

async function findGateway({ gatewayUrl, stores }: DemoSettings, { print, complain }: DemoOptions) {
  if (gatewayUrl !== undefined) {
    print(`   ${gatewayUrl}, as GATEWAY_URL says`);
    return { url: gatewayUrl, close: () => Promise.resolve() };
  }
  const gateway = await startGateway(stores, complain);
  const sandbox = ['the built-in sandbox', ...gateway.shared].join(', ');
  print(`   ${gateway.url}, started for this demo with ${sandbox}`);
  return gateway;
}

/** Logs in, takes the tour, and undoes its changes. */
async function visit(
  gatewayUrl: string,
  { login }: DemoSettings,
  step: DemoStep,
  attempt: (run: () => Promise<void>) => Promise<void>,
  { print, progress, signal, directory, columns }: DemoOptions,
): Promise<void> {
  const visitOf = (until: AbortSignal, accessToken?: string): Visit => {
    const client = createGraphQLClient({ gatewayUrl, accessToken, signal: until });
    return { client, print, progress, signal: until };
  };
  const accessToken = await step('Log in', () => logInUser(visitOf(signal), login));
  const steadyClient = createGraphQLClient({ gatewayUrl, accessToken });
  const undo: Undo[] = [];
  await attempt(() =>
    tour({ visit: visitOf(signal, accessToken), steadyClient, step, undo, gatewayUrl, directory, columns }),
  );
  if (undo.length === 0) return;

  // An interruption ends the tour, but not the undoing.
  const undoing = visitOf(AbortSignal.timeout(UNDO_LIMIT_MS), accessToken);
  await step('Put everything back', () => undoAll(undo, undoing));
}

/** Undoes the last change first; after a failure the others are still undone. */
async function undoAll(undo: readonly Undo[], undoing: Visit): Promise<void> {
  const failures: string[] = [];
  for (const each of [...undo].reverse()) {
    await each(undoing).catch((error: unknown) => failures.push(describeRootCause(error)));
  }
  if (failures.length > 0) throw new Error(failures.join(' '));
}

/**
 * Starts a gateway with the built-in sandbox on a free port. Data outside these stores is in a temporary directory, and
 * only errors are logged.
 *
 * @param logError receives a log entry
 * @returns the URL, base path included, the names of the stores that are shared, and a function that stops the gateway
 */
export async function startGateway(stores: Environment, logError: (entry: string) => void) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
  let gateway: Gateway | undefined;
  const close = async (): Promise<boolean> => {
    const unfinished = (await gateway?.close()) ?? [];
    await rm(dataDir, { recursive: true, force: true });
    return unfinished.length === 0;
  };
  try {
    const config = loadConfig({
      ...stores,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      // Backends, jobs and reports share one thread here.
      MAX_EVENT_LOOP_DELAY_MS: '10000',
      SHUTDOWN_DRAIN_SECONDS: '5',
    });
    const destination = { write: (entry: string) => logError(entry.trimEnd()) };
    const logger = createLogger({ level: config.logLevel, destination });
    gateway = await createGateway({ config, logger, version: 'demo' });
    const url = await gateway.listen();
    const { redisUrl, objects } = config;
    const shared = [redisUrl && 'Redis', objects.kind !== 'files' && objects.kind.toUpperCase()].filter(Boolean);
    return { url, shared, close: async () => check(await close(), 'The gateway of the demo did not end cleanly.') };
  } catch (error) {
    await close();
    throw error;
  }
}
