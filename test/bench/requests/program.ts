import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { accepts } from '../../support/child-program.js';
import { waitFor } from '../../support/wait-for.js';
import { pinned } from './processors.js';

/** A process of the benchmark, only ever signalled by its own pid. */
export interface Program {
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export interface ProgramOptions {
  readonly args: readonly string[];
  /** All it gets of the environment, beside `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  readonly core: number | undefined;
  readonly port: number;
}

const PATIENCE_MS = 10_000;

/**
 * Puts a process in front of other work on the machine, where that is allowed (root): a small request costs several
 * times as much when its server wakes up for each one.
 */
export function prefer(pid: number): void {
  try {
    setPriority(pid, -15);
    // Linux shares time among sessions first, and within each by the priority of its processes.
    writeFileSync(`/proc/${pid}/autogroup`, '-10');
  } catch {
    // Others than root measure beside whatever else runs.
  }
}

/** Starts Node.js with production settings; standard output, where access logs go, is dropped. */
export async function startNode({ args, env, core, port }: ProgramOptions): Promise<Program> {
  const [command, ...commandArgs] = pinned([process.execPath, ...args], core);
  const dropped = openSync('/dev/null', 'w');
  const stdio: StdioOptions = ['ignore', dropped, 'inherit'];
  const child = spawn(command, commandArgs, {
    stdio,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
  });
  closeSync(dropped);
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${args.join(' ')} has no pid.`);
  prefer(pid);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const program: Program = {
    pid,
    async stop() {
      if (!isRunning()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await gone;
      clearTimeout(timer);
    },
  };
  const listening = waitFor(`${args.join(' ')} to listen`, () => {
    if (!isRunning()) throw new Error(`${args.join(' ')} ended with ${child.exitCode ?? child.signalCode}.`);
    return accepts(port);
  });
  await listening.catch(async (error: unknown) => {
    await program.stop();
    throw error;
  });
  return program;
}
