import { Progress } from './progress.js';

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
