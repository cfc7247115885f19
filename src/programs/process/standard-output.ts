import { writeSync } from 'node:fs';
import type { LogDestination } from '../../base/logging/log-events.js';

const STANDARD_OUTPUT = 1;

/** Size in characters at which lines of a turn are tried before its end. */
const MAX_PENDING = 8 * 1024;

/** Limit of bytes that are kept while the system takes none. */
const MAX_KEPT = 1024 * 1024;

/** Times between attempts to write kept lines, in milliseconds. */
const [MIN_RETRY_MS, MAX_RETRY_MS] = [50, 1_000];

/** Longest wait at the end of the process for a slow reader, in milliseconds. */
const MAX_EXIT_MS = 200;

const PAUSE_MS = 10;

const LINE_BREAK = '\n'.charCodeAt(0);

/**
 * Standard output for log lines, which never blocks or ends the program. Lines of a turn of the event loop go to the
 * system together at its end, an urgent one at once, behind those before it. Lines that the system does not take (a
 * full disk, a reader that stands still or has gone) are kept within a bound, and tried again once a turn; lines beyond
 * the bound are given up whole and counted. An end of the process writes what is left.
 */
export class LogOutput implements LogDestination {
  /** Reports the number of lines given up before the system took lines again. */
  onLost: (lines: number) => void = () => undefined;
  lostLines = 0;
  #toldLost = 0;
  #pending = '';
  #kept: Buffer = Buffer.alloc(0);
  #isRetrying = false;
  #retryMs = MIN_RETRY_MS;

  constructor() {
    // Node.js makes pipes and sockets non-blocking when it opens its own stream on them; files have no such mode.
    process.stdout.removeAllListeners('error').on('error', () => undefined);
    process.on('exit', () => this.#writeLast());
  }

  write(line: string, isUrgent: boolean): void {
    if (this.#pending === '') setImmediate(this.#writePending);
    this.#pending += line;
    const isDue = isUrgent && this.#kept.length === 0;
    if (isDue || this.#pending.length >= MAX_PENDING) this.#writePending();
  }

  readonly #writePending = (): void => {
    const lines = this.#pending;
    this.#pending = '';
    let written = 0;
    if (this.#kept.length === 0 && lines !== '') {
      try {
        written = writeSync(STANDARD_OUTPUT, lines); // as a text, which costs a third less than its bytes
      } catch {
        // The next attempt fails alike, and tries again later.
      }
      if (written === Buffer.byteLength(lines)) return;
    }
    if (lines !== '') this.#keep(Buffer.from(lines).subarray(written));
    this.#writeKept();
  };

  #keep(lines: Buffer): void {
    if (this.#kept.length === 0) this.#kept = lines;
    else if (this.#kept.length + lines.length <= MAX_KEPT) this.#kept = Buffer.concat([this.#kept, lines]);
    else this.lostLines += lines.filter((byte) => byte === LINE_BREAK).length;
  }

  /** Writes as much as the system takes at once, and tries again later while it takes no more. */
  #writeKept(): void {
    try {
      while (this.#kept.length > 0) {
        this.#kept = this.#kept.subarray(writeSync(STANDARD_OUTPUT, this.#kept));
        this.#retryMs = MIN_RETRY_MS;
      }
    } catch {
      // Nothing but this output could tell the fault.
      if (!this.#isRetrying) setTimeout(() => this.#tryAgain(), this.#retryMs).unref();
      this.#isRetrying = true;
      return;
    }
    const lost = this.lostLines - this.#toldLost;
    this.#toldLost = this.lostLines;
    if (lost > 0) this.onLost(lost);
  }

  #tryAgain(): void {
    this.#isRetrying = false;
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
    this.#writeKept();
  }

  #writeLast(): void {
    const endsAt = performance.now() + MAX_EXIT_MS;
    this.#writePending();
    while (this.#kept.length > 0 && performance.now() < endsAt) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      this.#writePending();
    }
  }
}
