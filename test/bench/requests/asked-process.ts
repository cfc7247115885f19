import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pin } from './processors.js';

/** A process that answers what it is asked over IPC, one thing at a time, and stays warm in between. */
export class AskedProcess<Question extends object, Answer> {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @param program as it was built; it answers as the types say @param core it runs on; any when undefined */
  static async start<Question extends object, Answer>(
    program: string,
    core: number | undefined,
  ): Promise<AskedProcess<Question, Answer>> {
    const child = fork(program, { execArgv: [] });
    await once(child, 'spawn');
    if (child.pid !== undefined) await pin(child.pid, core);
    return new AskedProcess(child);
  }

  /** Asks, and waits for the answer; never two things at once. */
  async ask(question: Question): Promise<Answer> {
    const answered = once(this.#child, 'message');
    this.#child.send(question);
    const [answer] = (await answered) as [Answer]; // what the program answers with
    return answer;
  }

  /** Ends it and resolves when it is gone. */
  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
