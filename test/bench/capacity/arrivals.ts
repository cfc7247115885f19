import type { Random } from '../../../src/sandbox/seed/random.js';

// Looked up millions of times, and looking up a global is slow inside the test runner.
const { cos, exp, log, max, PI, round, sqrt } = Math;

/** Above this the normal distribution is near enough. */
const MANY = 50;

/** How many of something come when so many are expected (Poisson). */
export function arrivals(expected: number, random: Random): number {
  if (expected > MANY) {
    const normal = sqrt(-2 * log(1 - random.next())) * cos(2 * PI * random.next());
    return max(0, round(expected + sqrt(expected) * normal));
  }
  const limit = exp(-expected);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}
