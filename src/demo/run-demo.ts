import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../app.js';
import { loadConfig } from '../config/config.js';
import { createLogger } from '../logging/logger.js';
import { createGraphQLClient } from './graphql-client.js';
import { logIn } from './session.js';
import { readSettings, type DemoEnvironment, type DemoSettings, type EngineEnvironment } from './settings.js';
import { describeRootCause, numberedSteps, type Step, check } from './steps.js';
import { tour, type Undo } from './tour.js';

/** What the demo needs of the process it runs in. */
export interface DemoOptions {
  readonly environment: DemoEnvironment;
  /** Where the report is saved. */
  readonly directory: string;
  /** Width that tables of the story fit into. */
  readonly columns: number;
  /** Ends the demo early; what it changed is put back nevertheless. */
  readonly signal: AbortSignal;
  /** Takes a line of the story. */
  readonly print: (line: string) => void;
  /** Takes how far a job has come, in place of what it took before. */
  readonly progress: (line: string) => void;
  /** Takes a line that says what went wrong. */
  readonly complain: (line: string) => void;
}

/** Longest time for putting everything back. */
const UNDO_LIMIT_MS = 60_000;

/**
 * Shows what the gateway is for, against a gateway of its own or that of `GATEWAY_URL`, and checks every answer.
 * Leaves behind nothing but the report.
 *
 * @returns whether every step was right; otherwise `complain` was told which was not, and why
 */
export async function runDemo(options: DemoOptions): Promise<boolean> {
  const { print, complain } = options;
  const step = numberedSteps(print);
  let isRight = true;
  /** Notes a failure, so that what comes after it is done nevertheless. */
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
    if (isRight) print(`\nEvery step was right. Next: ${nextSteps(settings)}`);
  });
  return isRight;
}

async function findGateway(
  { gatewayUrl, engines }: DemoSettings,
  { print, complain }: DemoOptions,
): Promise<DemoGateway> {
  if (gatewayUrl !== undefined) {
    print(`   ${gatewayUrl}, as GATEWAY_URL says`);
    return { url: gatewayUrl, close: () => Promise.resolve() };
  }
  const gateway = await startGateway(engines, complain);
  const shared = [...(engines.REDIS_URL ? ['Redis'] : []), ...(engines.S3_BUCKET ? ['S3'] : [])];
  const sandbox = ['the built-in sandbox', ...shared].join(', ');
  print(`   ${gateway.url}, started for this demo with ${sandbox}`);
  return gateway;
}

/** Logs in, does everything, and puts everything back. */
async function visit(
  gatewayUrl: string,
  { login }: DemoSettings,
  step: Step,
  attempt: (run: () => Promise<void>) => Promise<void>,
  { print, progress, signal, directory, columns }: DemoOptions,
): Promise<void> {
  const accessToken = await step('Log in', () => logIn(createGraphQLClient({ gatewayUrl, signal }), login, print));
  const client = createGraphQLClient({ gatewayUrl, accessToken, signal });
  const steadyClient = createGraphQLClient({ gatewayUrl, accessToken });
  const undo: Undo[] = [];
  await attempt(() =>
    tour({ client, steadyClient, step, undo, gatewayUrl, directory, columns, print, progress, signal }),
  );
  if (undo.length === 0) return;

  // An interruption ends the tour and not this.
  const limit = AbortSignal.timeout(UNDO_LIMIT_MS);
  const undoClient = createGraphQLClient({ gatewayUrl, accessToken, signal: limit });
  await step('Put everything back', () =>
    undoAll(undo, (each) => each(undoClient, { print, progress, signal: limit })),
  );
}

/** Undoes the last change first; one that cannot be undone does not keep the others. */
async function undoAll(undo: readonly Undo[], run: (each: Undo) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  for (const each of [...undo].reverse()) {
    await run(each).catch((error: unknown) => failures.push(describeRootCause(error)));
  }
  if (failures.length > 0) throw new Error(failures.join(' '));
}

function nextSteps({ gatewayUrl }: DemoSettings): string {
  return gatewayUrl === undefined
    ? 'npm start, and open http://127.0.0.1:8080/playground'
    : `open ${gatewayUrl}/playground`;
}

/** A gateway that the demo talks to. */
export interface DemoGateway {
  /** Base path included. */
  readonly url: string;
  /** Ends it, unless it is somebody else's. */
  close(): Promise<void>;
}

/**
 * Starts a gateway with the built-in sandbox on a free port. What no engine keeps is kept in a temporary directory,
 * and only errors are logged.
 *
 * @param logError takes a log entry
 */
export async function startGateway(
  engines: EngineEnvironment,
  logError: (entry: string) => void,
): Promise<DemoGateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-demo-'));
  let gateway: Gateway | undefined;
  const close = async (): Promise<boolean> => {
    const unfinished = (await gateway?.close()) ?? [];
    await rm(dataDir, { recursive: true, force: true });
    return unfinished.length === 0;
  };
  try {
    const config = loadConfig({
      ...engines,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      // Backends, jobs and reports share one thread with it here.
      MAX_EVENT_LOOP_DELAY_MS: '10000',
      SHUTDOWN_DRAIN_SECONDS: '5',
    });
    const destination = { write: (entry: string) => logError(entry.trimEnd()) };
    const logger = createLogger({ level: config.logLevel, pretty: false, destination });
    gateway = await createGateway({ config, logger, version: 'demo' });
    const url = await gateway.listen();
    return { url, close: async () => check(await close(), 'The gateway of the demo did not end cleanly.') };
  } catch (error) {
    await close();
    throw error;
  }
}
