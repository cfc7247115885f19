import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export function inGenerated(name: string): string {
  return `${HERE}generated/${name}`;
}

/**
 * Runs a program of an installed package; the directory of generated files is there.
 *
 * @param folder where, below this one
 * @throws {Error} with what it printed, if it fails
 */
export async function runTool(name: string, args: readonly string[], folder = ''): Promise<void> {
  await mkdir(inGenerated(''), { recursive: true });
  await promisify(execFile)(process.execPath, [`${HERE}node_modules/.bin/${name}`, ...args], { cwd: HERE + folder });
}
