// Looked up millions of times, and looking up a global is slow inside the test runner.
const { cos, exp, imul, log, max, PI, round, sqrt } = Math;

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Above this the normal distribution is near enough. */
const MANY = 50;

/** How many of something come when so many are expected (Poisson). */
export function arrivals(expected: number, random: () => number): number {
  if (expected > MANY) {
    const normal = sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
    return max(0, round(expected + sqrt(expected) * normal));
  }
  const limit = exp(-expected);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
