import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptCounter } from '../auth/attempt-counter.js';

/** Creates a counter for this process only. */
export function createMemoryCounter(keyPrefix: string, points: number, seconds: number): AttemptCounter {
  const limiter = new RateLimiterMemory({ keyPrefix, points, duration: seconds });

  async function giveBack(key: string, back: number, endsAt: number): Promise<void> {
    if (Date.now() < endsAt) await limiter.reward(key, back);
  }

  return {
    async take(key, wanted) {
      const now = Date.now();
      try {
        const { msBeforeNext } = await limiter.consume(key, wanted);
        return { outcome: 'taken', giveBack: (back) => giveBack(key, back, now + msBeforeNext) };
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const { msBeforeNext } = refused;
        // The library has counted the refused points.
        await giveBack(key, wanted, now + msBeforeNext);
        return { outcome: 'refused', retryAfterMs: msBeforeNext };
      }
    },
  };
}
