import { randomUUID } from 'node:crypto';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './key-prefix.js';
import { HOLD, RELEASE } from './sweep-lease-scripts.js';

const KEY = `${KEY_PREFIX}:sweep`;

/** The right to sweep, which one of all processes has at a time. One that dies loses it by time. */
export class SweepLease {
  readonly #client: RedisClient;
  readonly #lengthMs: number;
  readonly #token = randomUUID();

  constructor(client: RedisClient, lengthMs: number) {
    this.#client = client;
    this.#lengthMs = lengthMs;
  }

  /** @returns whether this process has the lease now, for its whole length */
  async hold(): Promise<boolean> {
    return (await this.#client.eval(HOLD, 1, KEY, this.#token, this.#lengthMs)) === 1;
  }

  async release(): Promise<void> {
    await this.#client.eval(RELEASE, 1, KEY, this.#token);
  }
}
