import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script of this folder in a process of its own.
 *
 * @returns what it printed
 * @throws {Error} when it fails
 */
export async function runChild(script: string, argument: string): Promise<string> {
  return run(['--import', 'tsx', fileURLToPath(new URL(script, import.meta.url)), argument]);
}

/** The same for a script that was built; its path is relative to the project. */
export async function runBuilt(script: string, argument: string): Promise<string> {
  return run([fileURLToPath(new URL(`../../${script}`, import.meta.url)), argument]);
}

async function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${args.at(-2)} ended with code ${child.exitCode}.`);
  return output;
}
