/** A number that decides everything random in a test. `TEST_SEED` repeats a run; either way it is printed. */
export function chooseSeed(what: string): number {
  const given = process.env['TEST_SEED'];
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given);
  process.stderr.write(`${what}: TEST_SEED=${seed}\n`);
  return seed;
}

/** Random numbers that are the same for the same seed (mulberry32). */
export class SeededRandom {
  constructor(private state: number) {}

  /** At least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }
}
