import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type Gateway } from '../app.js';
import { loadConfig } from '../config/config.js';
import { createLogger } from '../logging/logger.js';
import type { EngineEnvironment } from './settings.js';
import { check } from './steps.js';

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
