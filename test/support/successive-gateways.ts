import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/base/logging/logger.js';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.js';
import { BACKEND_KEY } from './gateway.js';
import { startJournaled, type TestSandbox } from './test-sandbox.js';

/** The backends and the data directory that gateways share when one follows another. */
export type SharedGround = Awaited<ReturnType<typeof startSharedGround>>;

/** Starts backends on their own. */
export function startBackends(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const logger = createLogger({ level: 'silent' });
  return startJournaled(startSandbox, { logger, backendApiKey: BACKEND_KEY, ...options });
}

/**
 * Starts backends and makes a data directory; both outlive the gateways that are started on them.
 *
 * @param backends that run already and outlive this as well; they are left without faults and with an empty journal
 */
export async function startSharedGround(backends?: TestSandbox) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const sandbox = backends ?? (await startBackends());
  return {
    sandbox,
    dataDir,
    environment: { JOB_ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
    async close() {
      if (backends === undefined) await sandbox.close();
      sandbox.faults.clear();
      sandbox.journal.clear();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
