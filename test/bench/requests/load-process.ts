import type { ClosedLoad, LoadResult, OpenLoad } from '../programs/load-protocol.js';
import { AskedProcess } from './asked-process.js';

type AnyLoad = ClosedLoad | OpenLoad;

interface Answer {
  readonly result?: LoadResult;
  readonly error?: string;
}

/** The process that sends requests. */
export class LoadProcess {
  readonly #process: AskedProcess<AnyLoad, Answer>;

  private constructor(process: AskedProcess<AnyLoad, Answer>) {
    this.#process = process;
  }

  /** @param program as it was built @param core it runs on; any when undefined */
  static async start(program: string, core: number | undefined): Promise<LoadProcess> {
    return new LoadProcess(await AskedProcess.start(program, core));
  }

  /** Runs one load; never two at once. @throws {Error} the load could not be run */
  async run(load: AnyLoad): Promise<LoadResult> {
    const { result, error } = await this.#process.ask(load);
    if (result === undefined) throw new Error(`The load failed: ${error}`);
    return result;
  }

  /** Ends it and resolves when it is gone. */
  stop(): Promise<void> {
    return this.#process.stop();
  }
}
