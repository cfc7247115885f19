import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ArrivalsResult, Load, LoadResult, OpenLoad } from '../programs/load-protocol.js';
import { pin } from './processors.js';
import { prefer } from './program.js';

/** The process that sends requests; asked over IPC, it stays warm between one load and the next. */
export class LoadProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @param program as it was built @param core it runs on; any when undefined */
  static async start(program: string, core: number | undefined): Promise<LoadProcess> {
    const child = fork(program, { execArgv: [] });
    await once(child, 'spawn');
    if (child.pid !== undefined) {
      prefer(child.pid);
      await pin(child.pid, core);
    }
    return new LoadProcess(child);
  }

  /** Runs one load; never two at once. @throws {Error} the load could not be run */
  run(load: Load): Promise<LoadResult> {
    return this.#ask(load);
  }

  /** Runs an open load; never two at once. @returns the figures of each client @throws {Error} it could not be run */
  runOpen(load: OpenLoad): Promise<ArrivalsResult[]> {
    return this.#ask(load);
  }

  async #ask<T>(load: Load | OpenLoad): Promise<T> {
    const answered = once(this.#child, 'message');
    this.#child.send(load);
    const [{ result, error }] = (await answered) as [{ result?: T; error?: string }]; // as programs/load.ts answers
    if (result === undefined) throw new Error(`The load failed: ${error}`);
    return result;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
