/** Reports of one organisation that wait for their next turn. */
interface Line {
  /** Milliseconds that the organisation has drawn, counted from a common beginning. */
  usedMs: number;
  readonly waiting: (() => void)[];
}

/** Who drew last, and since when. */
interface Drawing {
  readonly line: Line;
  readonly since: number;
}

/**
 * Turns of the reports that a thread draws at the same time, of about a page each. The next turn is that of the
 * organisation that has had the least time, so that each gets its part of the thread however many reports it has, and
 * however large they are; within an organisation they take turns in their order. Messages are heard between two turns.
 */
export class Turns {
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();
  #drawing: Drawing | undefined;
  #isRunning = false;

  /** @param now milliseconds that only grow; the system's by default */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the turn of a report has come. It lasts until whoever waited waits for something again. */
  take(organisation: string): Promise<void> {
    return new Promise((resolve) => {
      this.#lineOf(organisation).waiting.push(resolve);
      if (this.#isRunning) return;
      this.#isRunning = true;
      setImmediate(() => this.#next());
    });
  }

  /** Whoever comes new, or comes back, has no claim to the time before. */
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
      // Nobody has kept anybody waiting.
      this.#lines.clear();
      this.#isRunning = false;
      return;
    }
    this.#drawing = { line, since: now };
    turn();
    // What it draws is drawn before this.
    setImmediate(() => this.#next());
  }

  #lineInTurn(): Line | undefined {
    let least: Line | undefined;
    for (const [organisation, line] of this.#lines) {
      if (line.waiting.length === 0) this.#forgetIfBehind(organisation, line);
      else if (least === undefined || line.usedMs < least.usedMs) least = line;
    }
    return least;
  }

  /** One that waits for data keeps what it has used, until the others have used as much. */
  #forgetIfBehind(organisation: string, line: Line): void {
    if (line.usedMs <= this.#leastUsed()) this.#lines.delete(organisation);
  }

  #leastUsed(): number {
    let least: number | undefined;
    for (const { usedMs, waiting } of this.#lines.values()) {
      if (waiting.length > 0) least = Math.min(least ?? usedMs, usedMs);
    }
    return least ?? 0;
  }
}
