import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './built-programs.js';
import { startProgram } from './child-program.js';
import type { ContractName } from './openapi-contract.js';
import { waitFor } from './wait-for.js';

const PRISM = path.join(ROOT, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** A service that Prism stands in for. */
export type PrismMock = Awaited<ReturnType<typeof startPrismMock>>;

/**
 * Starts Prism on a free port of the loopback address. It knows nothing but the OpenAPI file: it answers with the
 * file's examples, and refuses requests that the file does not allow (401 without credentials, 422 otherwise).
 */
export async function startPrismMock(name: ContractName) {
  const logs = await mkdtemp(path.join(tmpdir(), 'prism-'));
  const program = await startProgram(process.execPath, {
    args: [PRISM, 'mock', '--errors', '--port', '0', '--host', '127.0.0.1', path.join(ROOT, `openapi/${name}.yaml`)],
    logFile: path.join(logs, 'output.log'),
    env: { NODE_OPTIONS: '' },
  });
  const close = async (): Promise<void> => {
    await program.kill();
    await rm(logs, { recursive: true });
  };
  try {
    const url = await waitFor(`Prism for ${name}`, async () => {
      const output = await program.output();
      if (!program.isRunning()) throw new Error(`Prism ended: ${output}`);
      return /listening on (http:\S+)/.exec(output)?.[1];
    });
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
