import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../app.js';
import { loadConfig } from '../../base/config/load-config.js';
import type { Environment } from '../../base/config/config.js';
import { isOfObjectStore } from '../../base/config/variables.js';
import { readUrl } from '../../base/config/variable.js';
import { describeError } from '../../base/errors.js';
import { createLogger } from '../../base/logging/logger.js';
import type { CommandContext } from '../process/run-program.js';
import { createGraphQLClient } from './graphql-client.js';
import { logInUser, tour, type DemoStep, type Undo, type Visit } from './tour.js';

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
 * Demonstrates the gateway, with its own gateway or that of `GATEWAY_URL`. Leaves only the report behind.
 *
 * @returns whether every step was right; otherwise `complain` printed the failed step and the reason
 */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { print, complain } = options;
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
    const { gatewayUrl, login, stores } = readSettings(options.environment);
    const step = numberedSteps(print);
    const gateway = await step('Find a gateway', async () => {
      const found = gatewayUrl === undefined ? await startGateway(stores, complain) : undefined;
      const shared = ['the built-in sandbox', ...(found?.shared ?? [])].join(', ');
      print(found ? `   ${found.url}, started for this demo with ${shared}` : `   ${gatewayUrl}, as GATEWAY_URL says`);
      return found;
    });
    await attempt(() => visitGateway(gateway?.url ?? gatewayUrl ?? '', login, { ...options, step, attempt }));
    await attempt(async () => gateway?.close());
    const playground = gateway ? 'npm start, and open http://127.0.0.1:8080' : `open ${gatewayUrl}`;
    if (isRight) print(`\nEvery step was right. Next: ${playground}/playground`);
  });
  return isRight;
}

/** Numbers the steps and prints their titles. */
function numberedSteps(print: (line: string) => void): DemoStep {
  let number = 0;
  return async (title, run) => {
    number += 1;
    print(`\n${number}. ${title}`);
    try {
      return await run();
    } catch (cause) {
      throw new Error(`Step ${number}, "${title}", failed: ${describeRootCause(cause)}`, { cause });
    }
  };
}

/** Returns the reason of an error; `fetch` and timers hide it in the cause. */
function describeRootCause(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? describeRootCause(error.cause) : describeError(error);
}

interface VisitOptions extends DemoOptions {
  readonly step: DemoStep;
  readonly attempt: (run: () => Promise<void>) => Promise<void>;
}

/** Logs in, takes the tour, and undoes its changes, the last one first. */
async function visitGateway(gatewayUrl: string, login: typeof SANDBOX_LOGIN, options: VisitOptions): Promise<void> {
  const { step, attempt, print, progress, signal, directory, columns } = options;
  const visitOf = (until: AbortSignal, accessToken?: string): Visit => {
    const client = createGraphQLClient(gatewayUrl, accessToken, until);
    return { client, print, progress, signal: until };
  };
  const accessToken = await step('Log in', () => logInUser(visitOf(signal), login));
  const steadyClient = createGraphQLClient(gatewayUrl, accessToken);
  const undo: Undo[] = [];
  const visit = visitOf(signal, accessToken);
  await attempt(() => tour({ visit, steadyClient, step, undo, gatewayUrl, directory, columns }));
  if (undo.length === 0) return;

  // An interruption ends the tour, but not the undoing.
  const undoing = visitOf(AbortSignal.timeout(UNDO_LIMIT_MS), accessToken);
  await step('Put everything back', async () => {
    const failures: string[] = [];
    for (const each of undo.reverse()) {
      await each(undoing).catch((error: unknown) => failures.push(describeRootCause(error)));
    }
    if (failures.length > 0) throw new Error(failures.join(' '));
  });
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
    const end = async (): Promise<void> => {
      if (!(await close())) throw new Error('The gateway of the demo did not end cleanly.');
    };
    return { url, shared, close: end };
  } catch (error) {
    await close();
    throw error;
  }
}
