/**
 * For how long the event loop turns for connections alone, in milliseconds: as long as operations begin in between, so
 * that neither a crowd of connections nor one of operations takes much more than half of the time.
 */
const TURNS_MS = 2;

/**
 * Lets connections in between operations. Node.js accepts one in each turn of the event loop. With operations in each
 * turn, a crowd that connects anew for each request would wait where nobody sees it, a health probe behind all of it;
 * nothing would be refused in time, and what its clients gave up long ago would be run.
 */
export class Arrivals {
  #haveCome = false;
  #until: number | undefined;

  /** To be told of each connection when it is accepted. */
  accepted(): void {
    this.#haveCome = true;
  }

  /** Whether some come now. Who has gone meanwhile is known of in the next turn. */
  get areComing(): boolean {
    return this.#haveCome || this.#until !== undefined;
  }

  /**
   * To be asked at the end of each turn.
   *
   * @returns whether the event loop is to turn once more before the next operations begin
   */
  wantTurn(): boolean {
    if (this.#haveCome) {
      this.#haveCome = false;
      const now = performance.now();
      this.#until ??= now + TURNS_MS;
      if (now < this.#until) return true;
    }
    this.#until = undefined;
    return false;
  }
}
