import { execFile, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

export interface Cores {
  readonly servers: number;
  /** Load, stub backends, Redis and the runner. */
  readonly load: number;
}

/** Whether this machine has a command that knows `--version`. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

/** @returns undefined where processes cannot be pinned, or there is one core alone */
export function findCores(): Cores | undefined {
  return isInstalled('taskset') && availableParallelism() > 1 ? { servers: 0, load: 1 } : undefined;
}

/** Command line that runs a program on a core. */
export function pinned(command: readonly [string, ...string[]], core: number | undefined): [string, ...string[]] {
  return core === undefined ? [...command] : ['taskset', '--cpu-list', String(core), ...command];
}

export async function pin(pid: number, core: number | undefined): Promise<void> {
  if (core === undefined) return;
  await promisify(execFile)('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
}
