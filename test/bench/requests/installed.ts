import { spawnSync } from 'node:child_process';

/** Whether this machine has a command that knows `--version`. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}
