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
