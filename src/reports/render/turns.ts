/** Organisation whose reports are drawn. */
interface WaitingLine {
  /** Drawing time in milliseconds, counted from a common start. */
  usedMs: number;
  readonly waiting: (() => void)[];
}

/**
 * Makes a fair scheduler of the reports of a thread, with turns of about a page. The next turn goes to the organisation
 * with the least drawing time, so that each gets its share of the thread, independent of the number and size of its
 * reports; within an organisation, turns follow the order of waiting. Messages are received between turns.
 *
 * @param now monotonic clock in milliseconds; the system's by default
 */
export function turnsOf(now: () => number = () => performance.now()) {
  /** Lines by organisation; empty while nothing is drawn. */
  const lines = new Map<string, WaitingLine>();
  /** Latest turn: its organisation, and its start in milliseconds. */
  let drawing: { readonly line: WaitingLine; readonly since: number } | undefined;
  /** Returns the line with the least drawing time of those that wait. */
  const inTurn = (): WaitingLine | undefined => {
    const waiting = [...lines.values()].filter((line) => line.waiting.length > 0);
    return waiting.sort((a, b) => a.usedMs - b.usedMs)[0];
  };
  const next = (): void => {
    const since = now();
    if (drawing !== undefined) drawing.line.usedMs += since - drawing.since;
    drawing = undefined;
    const line = inTurn();
    const turn = line?.waiting.shift();
    if (line === undefined || turn === undefined) {
      // No report waits, so there is no past use to balance.
      lines.clear();
      return;
    }
    // Only now: the used time of an organisation that waits for data is kept until the others have used as much.
    for (const [organisation, other] of lines) {
      if (other !== line && other.waiting.length === 0 && other.usedMs <= line.usedMs) lines.delete(organisation);
    }
    drawing = { line, since };
    turn();
    // Runs after the drawing of this turn.
    setImmediate(next);
  };
  /** Resolves at the report's turn, which lasts until the report waits again. */
  return (organisation: string): Promise<void> =>
    new Promise((resolve) => {
      if (lines.size === 0) setImmediate(next);
      // A new or returning organisation gets no credit for earlier time.
      const line = lines.get(organisation) ?? { usedMs: inTurn()?.usedMs ?? 0, waiting: [] };
      lines.set(organisation, line);
      line.waiting.push(resolve);
    });
}
