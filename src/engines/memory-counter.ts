import { LRUCache } from 'lru-cache';
import type { AttemptCounter, Taking } from '../auth/attempt-counter.js';

/**
 * Limit of counted keys. Beyond it, the key that was used least recently gets its points back. Each key was an attempt,
 * so that an attacker who wants his points back needs as many attempts as there are keys.
 */
const MAX_KEYS = 10_000;

interface Window {
  used: number;
  /** `performance.now()` at its end. */
  readonly endsAt: number;
}

/** Creates a counter for this process only. */
export function createMemoryCounter(_keyPrefix: string, points: number, seconds: number): AttemptCounter {
  // The size of each entry is 1. A cache with `max` would take its memory at once.
  const windows = new LRUCache<string, Window>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  function take(key: string, wanted: number): Taking {
    const now = performance.now();
    const known = windows.get(key);
    const window = known !== undefined && known.endsAt > now ? known : { used: 0, endsAt: now + seconds * 1_000 };
    if (window !== known) windows.set(key, window);
    if (window.used + wanted > points) return { outcome: 'refused', retryAfterMs: window.endsAt - now };
    window.used += wanted;
    const giveBack = (back: number): Promise<void> => {
      window.used -= back;
      return Promise.resolve();
    };
    return { outcome: 'taken', giveBack };
  }

  return { take: (key, wanted) => Promise.resolve(take(key, wanted)) };
}
