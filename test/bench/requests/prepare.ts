import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../../support/built-programs.js';

/** Installs what the gateway is measured against, as far as that is needed, and builds the gateway and the programs. */
export async function prepare(): Promise<void> {
  await Promise.all([run('.ci/ensure-installed.js', 'test/bench'), run('.ci/build.js')]);
  // Plain JavaScript, so that no loader takes part in what is measured.
  await run('node_modules/typescript-7/bin/tsc', '-p', 'test/bench/programs');
}

async function run(...args: readonly string[]): Promise<void> {
  // Standard output is for results.
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', process.stderr, 'inherit'] });
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`node ${args.join(' ')} failed; it says above why.`);
}
