import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../support/built-programs.js';

const BENCH = path.join(ROOT, 'test/bench');

/** Installs what the gateway is measured against, when it is missing, and builds the gateway and the programs. */
export async function prepare(): Promise<void> {
  const isMissing = modified('node_modules/.package-lock.json') < modified('package-lock.json');
  await Promise.all([
    isMissing ? run('npm', ['ci', '--engine-strict', '--no-audit', '--no-fund'], BENCH) : undefined,
    run('npm', ['run', '--silent', 'build'], ROOT),
  ]);
  // Plain JavaScript, so that no loader takes part in what is measured.
  await run(
    process.execPath,
    [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'programs/tsconfig.json'],
    BENCH,
  );
}

function modified(file: string): number {
  return statSync(path.join(BENCH, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  // Standard output is for results.
  const child = spawn(command, args, { cwd, stdio: ['ignore', process.stderr, 'inherit'] });
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} in ${cwd} failed; it says above why.`);
}
