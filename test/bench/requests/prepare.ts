import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../support/built-programs.js';

const BENCH = path.join(ROOT, 'test/bench');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** Installs what the gateway is measured against and builds the gateway and the programs, as far as that is needed. */
export async function prepare(): Promise<void> {
  const lockfile = path.join(BENCH, 'package-lock.json');
  const installed = path.join(BENCH, 'node_modules/.package-lock.json');
  const programs = path.join(BENCH, 'programs');
  await Promise.all([
    isOlder(installed, [lockfile])
      ? run('npm', ['ci', '--engine-strict', '--no-audit', '--no-fund'], BENCH)
      : undefined,
    run('npm', ['run', '--silent', 'build'], ROOT),
  ]);
  // Plain JavaScript, so that no loader takes part in what is measured.
  if (isOlder(path.join(BENCH, 'dist/load.js'), [programs, installed])) {
    await run(process.execPath, [TSC, '-p', programs], BENCH);
  }
}

/** Whether a file is missing, or was made before one of the others, or of what lies in them, was changed. */
function isOlder(file: string, others: readonly string[]): boolean {
  const made = modified(file);
  return others.some((other) => {
    const isDirectory = statSync(other, { throwIfNoEntry: false })?.isDirectory() ?? false;
    const inside = isDirectory ? readdirSync(other, { recursive: true, encoding: 'utf8' }) : [];
    return [other, ...inside.map((name) => path.join(other, name))].some((name) => modified(name) > made);
  });
}

/** Milliseconds; before everything else where there is no such file. */
function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  // Standard output is for results.
  const child = spawn(command, args, { cwd, stdio: ['ignore', process.stderr, 'inherit'] });
  await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} in ${cwd} failed; it says above why.`);
}
