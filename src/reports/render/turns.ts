/** Organisation whose reports are drawn. */
interface WaitingLine {
  /** Drawing time in milliseconds, counted from a common start. */
  usedMs: number;
  readonly waiting: (() => void)[];
}

/**
 * Fair scheduler of the reports of a thread, with turns of about a page. The next turn goes to the organisation with
 * the least drawing time, so that each gets its share of the thread, independent of the number and size of its reports;
 * within an organisation, turns follow the order of waiting. Messages are received between turns.
 */
export class Turns {
  readonly #now: () => number;
  /** Lines by organisation; empty while nothing is drawn. */
  readonly #lines = new Map<string, WaitingLine>();
  /** Latest turn: its organisation, and its start in milliseconds. */
  #drawing: { readonly line: WaitingLine; readonly since: number } | undefined;

  /** @param now monotonic clock in milliseconds; the system's by default */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves at the report's turn, which lasts until the report waits again. */
  take(organisation: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#lines.size === 0) setImmediate(() => this.#next());
      const known = this.#lines.get(organisation);
      // A new or returning organisation gets no credit for earlier time.
      const line = known ?? { usedMs: this.#inTurn()?.usedMs ?? 0, waiting: [] };
      this.#lines.set(organisation, line);
      line.waiting.push(resolve);
    });
  }

  #next(): void {
    const now = this.#now();
    if (this.#drawing !== undefined) this.#drawing.line.usedMs += now - this.#drawing.since;
    this.#drawing = undefined;
    const line = this.#inTurn();
    const turn = line?.waiting.shift();
    if (line === undefined || turn === undefined) {
      // No report waits, so there is no past use to balance.
      this.#lines.clear();
      return;
    }
    // Only now: the used time of an organisation that waits for data is kept until the others have used as much.
    for (const [organisation, other] of this.#lines) {
      if (other !== line && other.waiting.length === 0 && other.usedMs <= line.usedMs) this.#lines.delete(organisation);
    }
    this.#drawing = { line, since: now };
    turn();
    // Runs after the drawing of this turn.
    setImmediate(() => this.#next());
  }

  /** Returns the line with the least drawing time of those that wait. */
  #inTurn(): WaitingLine | undefined {
    const waiting = [...this.#lines.values()].filter((line) => line.waiting.length > 0);
    return waiting.sort((a, b) => a.usedMs - b.usedMs)[0];
  }
}
