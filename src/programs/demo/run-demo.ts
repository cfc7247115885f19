import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../app.js';
import { loadConfig } from '../../base/config/load-config.js';
import { readUrl } from '../../base/config/variable.js';
import { describeError } from '../../base/errors.js';
import { createLogger } from '../../base/logging/logger.js';
import type { CommandContext } from '../process/run-program.js';
import { createGraphQLClient } from './graphql-client.js';
import { logInUser, tour, type DemoStep, type Visit } from './tour.js';

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
  };
}

/** Process context of the demo. The report is saved in the working directory. */
export type DemoOptions = Omit<CommandContext, 'args'>;

/**
 * Demonstrates the gateway, with its own gateway or that of `GATEWAY_URL`. Leaves only the report behind.
 *
 * @returns whether every step was right; otherwise `complain` printed the failed step and the reason
 */
export async function runDemo({ environment, print, progress, complain, ...options }: DemoOptions): Promise<boolean> {
  let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;
  try {
    const { gatewayUrl, login } = readSettings(environment);
    const step = numberedSteps(print);
    const url = await step('Find a gateway', async () => {
      if (gatewayUrl === undefined) gateway = await startGateway(complain);
      const found = gateway?.url ?? gatewayUrl ?? '';
      print(`   ${found}, ${gateway ? 'started for this demo with the built-in sandbox' : 'as GATEWAY_URL says'}`);
      return found;
    });
    const visitOf = (accessToken?: string): Visit => {
      const { signal } = options;
      return { client: createGraphQLClient(url, accessToken, signal), print, progress, signal };
    };
    const accessToken = await step('Log in', () => logInUser(visitOf(), login));
    await tour(visitOf(accessToken), { ...options, step, gatewayUrl: url });
    const playground = gateway ? 'npm start, and open http://127.0.0.1:8080' : `open ${url}`;
    print(`\nEvery step was right. Next: ${playground}/playground`);
    return true;
  } catch (error) {
    complain(`\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await gateway?.close();
  }
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

/**
 * Starts a gateway with the built-in sandbox on a free port. Its data is in a temporary directory, and only errors are
 * logged.
 *
 * @param logError receives a log entry
 * @returns the URL, base path included, and a function that stops the gateway
 */
export async function startGateway(logError: (entry: string) => void) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
  let gateway: Gateway | undefined;
  const close = async (): Promise<void> => {
    await gateway?.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const config = loadConfig({
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
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
