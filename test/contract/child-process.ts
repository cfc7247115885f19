import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JobQueue } from '../../src/jobs/record/job-queue.js';
import type { JobStore } from '../../src/jobs/record/job-store.js';

/** An engine that another process has opened as well. */
export interface OpenedElsewhere {
  readonly store: JobStore;
  readonly queue: JobQueue;
  readonly close: () => Promise<void>;
}

/** How another process opens what a test has open. */
export interface OtherProcess {
  /** File URL of a TypeScript module that exports `openAt`, to be called with the location. */
  readonly module: string;
  /** Whatever the module needs to find the same data. */
  readonly location: string;
}

/** A child process that speaks in lines. */
export class ChildProcess {
  readonly #lines: AsyncIterator<string>;
  readonly #gone: Promise<unknown>;
  #complaints = '';
  readonly #child: ChildProcessWithoutNullStreams;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    this.#gone = once(child, 'exit');
    child.stderr.on('data', (text: Buffer) => {
      this.#complaints += text.toString();
    });
  }

  /** Runs a script of `processes/` with the module and location as its arguments, then more arguments. */
  static start(script: string, { module, location }: OtherProcess, ...args: readonly string[]): ChildProcess {
    const file = fileURLToPath(new URL(`processes/${script}`, import.meta.url));
    const argv = ['--import', 'tsx', file, module, location, ...args];
    return new ChildProcess(spawn(process.execPath, argv, { stdio: 'pipe' }));
  }

  async nextLine(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done === true) throw new Error(`The child process ended early: ${this.#complaints}`);
    return next.value;
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Kills the process without any chance to clean up. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  async end(): Promise<void> {
    await this.#gone;
    if (this.#child.exitCode !== 0) throw new Error(`The child process failed: ${this.#complaints}`);
  }
}
