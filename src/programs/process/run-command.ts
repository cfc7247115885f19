import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describeError, hasCode } from '../../base/errors.js';
import { terminalTable } from './terminal-table.js';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Moves to the start of the line and erases it (ECMA-48: CR, EL). */
const ERASE_LINE = '\r\u001b[2K';

/** Characters that move the cursor, colour what follows or reorder it; line breaks and tabs stay. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Returns a text with unsafe characters as escapes of JSON, because stored texts may come from anybody. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Quotes a word for a POSIX shell, so that a command can be pasted. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Progress display: one changing line on a terminal, elsewhere a new line each time. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #maxWidth: number | undefined;
  #isShown = false;

  /** @param terminal value of `TERM`; `dumb` gets a new line each time */
  constructor(stream: ProgressStream, terminal = process.env['TERM']) {
    this.#stream = stream;
    // A line that fills the last column wraps to the next one and could not be erased.
    if (stream.isTTY === true && terminal !== 'dumb') this.#maxWidth = (stream.columns || Infinity) - 1;
  }

  show(shown: string): void {
    const line = visible(shown);
    if (this.#maxWidth === undefined) {
      this.#stream.write(`${line}\n`);
      return;
    }
    const [fitting = ''] = terminalTable([[line]], { maxWidth: this.#maxWidth });
    this.#stream.write(`${this.#isShown ? ERASE_LINE : ''}${fitting}`);
    this.#isShown = true;
  }

  /** Keeps the line shown; further output begins below it. */
  end(): void {
    if (this.#isShown) this.#stream.write('\n');
    this.#isShown = false;
  }
}

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
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Abort reason after a signal to end the process. */
class Interruption extends Error {
  override readonly name = 'Interruption';

  constructor(readonly signal: NodeJS.Signals) {
    super('interrupted');
  }
}

const EXIT_UNWRITTEN = 1;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const COLUMNS = 80;
/** Time in milliseconds in which a repeated signal is ignored, because npm sends the signal of a terminal again. */
const ECHO_MS = 500;

/**
 * Runs a command as this process; the number it returns is the exit code. After the first signal the command can clean
 * up; a second one ends the process at once.
 *
 * @param run rejects with `signal.reason` if interrupted; the process then ends as if the signal had not been caught
 * @throws any other rejection of `run`
 */
export async function runCommand(run: (context: CommandContext) => Promise<number>): Promise<void> {
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
  try {
    const running = run({
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

/** Ends a command whose results nobody gets. A reader that has gone, as after `| head`, needs no explanation. */
function endUnwritten(error: Error): never {
  if (!hasCode(error, 'EPIPE')) process.stderr.write(`Standard output cannot be written: ${describeError(error)}.\n`);
  process.exit(EXIT_UNWRITTEN);
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
