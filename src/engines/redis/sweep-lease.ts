import { randomUUID } from 'node:crypto';
import type { RedisClient } from './clients.js';
import { KEY_PREFIX } from './key-prefix.js';

/** Takes the lease KEYS[1], or prolongs it. ARGV: whose, and for how many milliseconds. Returns 1, or 0. */
const HOLD = `#!lua
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** Gives the lease KEYS[1] back, if it is that of ARGV[1]. */
const RELEASE = `#!lua
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`;

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
