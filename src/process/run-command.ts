import { terminalTable } from './terminal-table.js';

/** Where progress is shown: standard output or standard error, as a rule. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Back to the beginning of the line, and empty it (ECMA-48: CR, EL). */
const ERASE_LINE = '\r\u001b[2K';

/** Tells how far something has come: in one place on a terminal, elsewhere in a line each time. */
export class Progress {
  readonly #stream: ProgressStream;
  readonly #maxWidth: number | undefined;
  #isShown = false;

  /** @param terminal kind of the terminal, as `TERM` names it; a `dumb` one gets lines */
  constructor(stream: ProgressStream, terminal = process.env['TERM']) {
    this.#stream = stream;
    // A line that fills the last column is continued on the next one, and could not be taken back.
    if (stream.isTTY === true && terminal !== 'dumb') this.#maxWidth = (stream.columns || Infinity) - 1;
  }

  /** Takes the place of what was shown before. */
  show(line: string): void {
    if (this.#maxWidth === undefined) {
      this.#stream.write(`${line}\n`);
      return;
    }
    const [fitting = ''] = terminalTable([[line]], { maxWidth: this.#maxWidth });
    this.#stream.write(`${this.#isShown ? ERASE_LINE : ''}${fitting}`);
    this.#isShown = true;
  }

  /** Leaves what is shown where it is; what is written next begins below it. */
  end(): void {
    if (this.#isShown) this.#stream.write('\n');
    this.#isShown = false;
  }
}

/** What a command is given of the process it runs in. */
export interface CommandContext {
  /** What stands behind the name of the program. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working directory. */
  readonly directory: string;
  /** Width of the terminal that shows what is printed; 80 where that is none. */
  readonly columns: number;
  /** Writes a line, or several without the last line break, to standard output. */
  readonly print: (line: string) => void;
  /** Shows how far something has come: on a terminal in place of what was shown before, elsewhere as a line. */
  readonly progress: (line: string) => void;
  /** Writes like `print`, to standard error. */
  readonly complain: (line: string) => void;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** A signal has told the process to end. */
class Interruption extends Error {
  override readonly name = 'Interruption';

  constructor(readonly signal: NodeJS.Signals) {
    super('interrupted');
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const COLUMNS = 80;
/** npm sends what a terminal has sent once more; what comes so soon is no second signal. */
const ECHO_MS = 500;

/**
 * Runs a command as this process, which ends with the number it returns. After a first signal the command can put
 * things in order; a second one ends the process at once.
 *
 * @param run rejects with `signal.reason` when an interruption is its end: the process then ends as if nothing had
 *   caught the signal
 * @throws whatever else it rejects with
 */
export async function runCommand(run: (context: CommandContext) => Promise<number>): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    interruption.abort(new Interruption(signal));
    setTimeout(stopListening, ECHO_MS).unref();
  };
  const stopListening = (): void => SIGNALS.forEach((signal) => process.off(signal, interrupt));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const progress = new Progress(process.stdout);
  const writeTo =
    (stream: NodeJS.WriteStream) =>
    (line: string): void => {
      progress.end();
      stream.write(`${line}\n`);
    };
  try {
    const running = run({
      args: process.argv.slice(2),
      environment: process.env,
      directory: process.cwd(),
      // A terminal that does not know its width says 0.
      columns: process.stdout.columns || COLUMNS,
      print: writeTo(process.stdout),
      progress: (line) => progress.show(line),
      complain: writeTo(process.stderr),
      signal: interruption.signal,
    });
    process.exitCode = await running.finally(() => progress.end());
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    stopListening();
    process.kill(process.pid, error.signal);
  } finally {
    stopListening();
  }
}
