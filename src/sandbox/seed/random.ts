/** Random numbers that depend only on their seed. */
export type Random = ReturnType<typeof randomFrom>;

/**
 * Returns random numbers; the same seed always gives the same sequence (xorshift32, G. Marsaglia, 2003). A text names
 * the thing to make, such as `mobile/7`; a number suffices for a single thing.
 */
export function randomFrom(seed: string | number) {
  // Zero would be followed by zeros only.
  let state = (typeof seed === 'number' ? spread(seed) : hash(seed)) || 1;
  /** Returns a number in [0, 1). */
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  /** Returns a number in [min, max). */
  const between = (min: number, max: number): number => min + next() * (max - min);
  return {
    next,
    between,
    /** Returns a whole number from min to max, both included. */
    integer: (min: number, max: number): number => Math.floor(between(min, max + 1)),
    /** Returns true with this probability (0 to 1). */
    chance: (probability: number): boolean => next() < probability,
    /** Returns an entry of a non-empty list. */
    pick: <T extends string | object>(list: readonly [T, ...T[]]): T =>
      list[Math.floor(next() * list.length)] ?? list[0],
  };
}

/** Knuth's multiplicative hash, so that consecutive seeds begin with unlike numbers. */
function spread(seed: number): number {
  return (Math.imul(seed, 2_654_435_761) + 12_345) >>> 0;
}

/** FNV-1a, then the last step of MurmurHash3, for the same reason. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
