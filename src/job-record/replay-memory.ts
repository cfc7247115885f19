/** Remembers for a while what may come only once, for all processes on the same engine. */
export interface ReplayMemory {
  /**
   * Remembers an id, as one atomic step.
   *
   * @param id up to 64 characters of `A-Z a-z 0-9 _ -`
   * @returns false when it was remembered already
   * @throws {ServiceUnavailableError} it cannot be told
   */
  remember(id: string, forMs: number): Promise<boolean>;
}
