import { LRUCache } from 'lru-cache';
import type { Logger } from '../../base/logging/logger.js';
import { clientOf } from '../../base/wire/client-address.js';

/** Interval of lines in milliseconds, and the least number of refusals in it that gets one. */
const [EVERY_MS, LEAST] = [60_000, 30];

/** Limit of clients that are counted, because their number is theirs to choose. */
const MAX_CLIENTS = 1_000;

/** Names the client with the most refused requests, once a minute at most. Only the load balancer can stop it. */
export class RepeatedRefusals {
  readonly #logger: Logger;
  readonly #counted = new LRUCache<string, { readonly address: string; readonly reason: string; requests: number }>({
    max: MAX_CLIENTS,
  });
  #of = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Counts a refused request. @param reason `shed` or the code of the error */
  count(given: string, reason: string): void {
    if (this.#of === 0) setTimeout(() => this.#report(), EVERY_MS).unref();
    this.#of += 1;
    const address = clientOf(given);
    const key = `${reason} ${address}`;
    const counted = this.#counted.get(key);
    if (counted !== undefined) counted.requests += 1;
    else this.#counted.set(key, { address, reason, requests: 1 });
  }

  #report(): void {
    const [largest] = [...this.#counted.values()].sort((one, other) => other.requests - one.requests);
    const of = this.#of;
    if (largest && largest.requests >= LEAST) this.#logger.event('requests.refused_often', { ...largest, of });
    this.#counted.clear();
    this.#of = 0;
  }
}
