import { LRUCache } from 'lru-cache';
import type { AttemptCounter, ShortLivedTexts, Taking } from '../record/attempt-counter.js';

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

/** Counter for this process only. */
export class MemoryCounter implements AttemptCounter {
  readonly #points: number;
  readonly #seconds: number;
  /** The size of each entry is 1. A cache with `max` would take its memory at once. */
  readonly #windows = new LRUCache<string, Window>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  constructor(points: number, seconds: number) {
    this.#points = points;
    this.#seconds = seconds;
  }

  take(key: string, wanted: number): Promise<Taking> {
    return Promise.resolve(this.#taken(key, wanted));
  }

  #taken(key: string, wanted: number): Taking {
    const now = performance.now();
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && known.endsAt > now;
    const window = isOpen ? known : { used: 0, endsAt: now + this.#seconds * 1_000 };
    if (window !== known) this.#windows.set(key, window);
    if (window.used + wanted > this.#points) return { outcome: 'refused', retryAfterMs: window.endsAt - now };
    window.used += wanted;
    const giveBack = (back: number): Promise<void> => {
      window.used -= back;
      return Promise.resolve();
    };
    return { outcome: 'taken', giveBack };
  }
}

/** Texts of this process only. */
export function memoryTexts(): ShortLivedTexts {
  const texts = new LRUCache<string, { text: string; endsAt: number }>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  const get = (name: string): string | undefined => {
    const { text, endsAt = 0 } = texts.get(name) ?? {};
    return endsAt > performance.now() ? text : undefined;
  };
  return {
    get: (name) => Promise.resolve(get(name)),
    put(name, text, { forMs, isNew = false }) {
      if (isNew && get(name) !== undefined) return Promise.resolve(false);
      texts.set(name, { text, endsAt: performance.now() + forMs });
      return Promise.resolve(true);
    },
    delete(name) {
      texts.delete(name);
      return Promise.resolve();
    },
  };
}
