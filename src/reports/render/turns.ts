/** Organisation with waiting reports. */
interface Line {
  /** Drawing time of the organisation in milliseconds, counted from a common start. */
  usedMs: number;
  readonly waiting: (() => void)[];
}

/** Latest turn: its organisation, and its start in milliseconds. */
interface Drawing {
  readonly line: Line;
  readonly since: number;
}

/**
 * Fair scheduler of the reports of a thread, with turns of about a page. The next turn goes to the organisation with
 * the least drawing time, so that each gets its share of the thread, independent of the number and size of its reports;
 * within an organisation, turns follow the order of waiting. Messages are received between turns.
 */
export class Turns {
  readonly #now: () => number;
  /** Organisations whose reports are drawn; emptied when none waits. */
  readonly #lines = new Map<string, Line>();
  #drawing: Drawing | undefined;
  #isRunning = false;

  /** @param now monotonic clock in milliseconds; the system's by default */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves at the report's turn, which lasts until the report waits again. */
  take(organisation: string): Promise<void> {
    return new Promise((resolve) => {
      this.#lineOf(organisation).waiting.push(resolve);
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(() => this.#next());
    });
  }

  /** Returns the line of an organisation; a new or returning organisation gets no credit for earlier time. */
  #lineOf(organisation: string): Line {
    const known = this.#lines.get(organisation);
    if (known !== undefined) return known;
    const line = { usedMs: this.#leastUsed(), waiting: [] };
    this.#lines.set(organisation, line);
    return line;
  }

  #next(): void {
    const now = this.#now();
    if (this.#drawing !== undefined) this.#drawing.line.usedMs += now - this.#drawing.since;
    this.#drawing = undefined;
    const line = this.#lineInTurn();
    const turn = line?.waiting.shift();
    if (line === undefined || turn === undefined) {
      // No report waits, so there is no past use to balance.
      this.#lines.clear();
      this.#isRunning = false;
      return;
    }
    this.#drawing = { line, since: now };
    turn();
    // Runs after the drawing of this turn.
    setImmediate(() => this.#next());
  }

  #lineInTurn(): Line | undefined {
    let least: Line | undefined;
    for (const [organisation, line] of this.#lines) {
      if (line.waiting.length > 0) {
        if (least === undefined || line.usedMs < least.usedMs) least = line;
      } else if (line.usedMs <= this.#leastUsed()) {
        // Only now: the used time of an organisation that waits for data is kept until the others have used as much.
        this.#lines.delete(organisation);
      }
    }
    return least;
  }

  #leastUsed(): number {
    let least: number | undefined;
    for (const { usedMs, waiting } of this.#lines.values()) {
      if (waiting.length > 0) least = Math.min(least ?? usedMs, usedMs);
    }
    return least ?? 0;
  }
}
