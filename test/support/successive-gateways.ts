import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BACKEND_KEY } from './gateway.js';

/** What gateways that follow one another share: backends and a data directory. */
export interface SharedGround {
  readonly sandbox: Sandbox;
  readonly dataDir: string;
  /** The key that each of them needs to read what the ones before it wrote. */
  readonly environment: { readonly JOB_ENCRYPTION_KEY: string };
  close(): Promise<void>;
}

/** Starts backends and makes a data directory; both outlive the gateways that are started on them. */
export async function startSharedGround(): Promise<SharedGround> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const sandbox = await startSandbox({
    logger: createLogger({ level: 'silent', pretty: false }),
    backendApiKey: BACKEND_KEY,
  });
  return {
    sandbox,
    dataDir,
    environment: { JOB_ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
    async close() {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
