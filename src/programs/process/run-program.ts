import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ConfigError } from '../../base/config/config.js';
import { describeError, GatewayError, hasCode, isDiskFull, ServiceUnavailableError } from '../../base/errors.js';
import { RefusedCommandError } from './read-arguments.js';
import { ProgressLine, visible } from './terminal.js';
import { EXIT } from './supported-node.js';

export interface CommandContext {
  /** Arguments after the name of the program. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Width of the terminal; 80 if standard output is not one. */
  readonly columns: number;
  /** Writes one or more lines to standard output and adds the last line break. */
  readonly print: (line: string) => void;
  /** Shows progress: on a terminal in place of the previous line, elsewhere as a new line. */
  readonly progress: (line: string) => void;
  /** Writes like `print`, to standard error. */
  readonly complain: (line: string) => void;
  /** Asks a question on the terminal, and returns true for yes; absent without a terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** Aborted by the first of {@link SIGNALS}, with an {@link Interruption}. */
  readonly signal: AbortSignal;
}

/** Abort reason after a signal to end the process. */
export class Interruption extends Error {
  override readonly name = 'Interruption';

  constructor(readonly signal: NodeJS.Signals) {
    super('interrupted');
  }
}

/** Signals that end a program. SIGHUP comes when a terminal or a session ends; Node.js resets what `nohup` sets. */
export const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

const COLUMNS = 80;
/** Time in milliseconds in which a repeated signal is ignored, because npm sends the signal of a terminal again. */
const ECHO_MS = 500;

/**
 * Runs a program as this process; the number it returns is the exit code. After the first signal the program can clean
 * up; a second one ends the process at once.
 *
 * @param run may reject once interrupted; the process then ends as if the signal had not been caught. Errors that
 *   {@link explained} knows are printed, and have exit codes
 * @throws any other rejection of `run`
 */
export async function runProgram(run: (context: CommandContext) => Promise<number>): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    interruption.abort(new Interruption(signal));
    setTimeout(stopListening, ECHO_MS).unref();
  };
  const stopListening = (): void => SIGNALS.forEach((signal) => process.off(signal, interrupt));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  process.stdout.once('error', endUnwritten);
  process.stderr.on('error', () => undefined);
  const progress = new ProgressLine(process.stdout);
  const writeTo =
    (stream: NodeJS.WriteStream) =>
    (line: string): void => {
      progress.end();
      stream.write(`${visible(line)}\n`);
    };
  const context: CommandContext = {
    args: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    // A terminal of unknown width reports 0.
    columns: process.stdout.columns || COLUMNS,
    print: writeTo(process.stdout),
    progress: (line) => progress.show(line),
    complain: writeTo(process.stderr),
    confirm:
      process.stdin.isTTY && process.stderr.isTTY ? (question) => confirm(question, interruption.signal) : undefined,
    signal: interruption.signal,
  };
  try {
    await endWith(await exitCodeOf(run, context).finally(() => progress.end()));
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    stopListening();
    process.kill(process.pid, error.signal);
  }
}

/** Runs a program, and prints an error that {@link explained} knows. @throws the reason of an interruption */
export async function exitCodeOf(
  run: (context: CommandContext) => Promise<number>,
  context: CommandContext,
): Promise<number> {
  try {
    return await run(context);
  } catch (error) {
    context.signal.throwIfAborted();
    const { text, code } = explained(error);
    context.complain(text);
    return code;
  }
}

/** Returns what an error says to people, and the exit code. @throws an error that no program expects */
function explained(error: unknown): { readonly text: string; readonly code: number } {
  if (error instanceof ConfigError) {
    return { text: `${lookAtThis(error.doubts)}${error.message}`, code: isDiskFull(error) ? EXIT.again : EXIT.config };
  }
  if (error instanceof ServiceUnavailableError) {
    return { text: describeError(error.cause ?? error), code: EXIT.unavailable };
  }
  if (error instanceof RefusedCommandError || error instanceof GatewayError) {
    return { text: describeError(error), code: EXIT.failed };
  }
  throw error;
}

/** Formats doubts about the configuration, one line each. */
export function lookAtThis(doubts: readonly string[]): string {
  return doubts.map((doubt) => `Look at this: ${doubt}\n`).join('');
}

/** Ends this process once its results are written, or as a failure if they cannot be. */
async function endWith(code: number): Promise<never> {
  const fault = await new Promise<Error | null | undefined>((resolve) => process.stdout.write('', resolve));
  if (fault) endUnwritten(fault);
  process.exit(code);
}

/** Ends a program whose results nobody gets. A reader that has gone, as after `| head`, needs no explanation. */
function endUnwritten(error: Error): never {
  if (!hasCode(error, 'EPIPE')) process.stderr.write(`Standard output cannot be written: ${describeError(error)}.\n`);
  process.exit(EXIT.failed);
}

/** Asks on standard error, because standard output has only the answer. The end of the input means no. */
async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stderr.write(`${visible(question)} [y/N] `);
  try {
    const line = await Promise.race([once(lines, 'line', { signal }), once(lines, 'close', { signal })]);
    return /^\s*y(es)?\s*$/i.test(String(line[0] ?? ''));
  } finally {
    lines.close();
  }
}
