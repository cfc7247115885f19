import type { Logger } from '../logging/logger.js';
import { clientOf } from '../wire/client-address.js';

/** Interval of lines about refused clients, in milliseconds. */
const EVERY_MS = 60_000;

/** Smallest number of refusals in that time that gets a line: one each two seconds. */
const LEAST = 30;

/** Limit of clients that are counted in that time, because their number is theirs to choose. */
const MAX_CLIENTS = 1_000;

interface Crowd {
  readonly address: string;
  readonly reason: string;
  requests: number;
}

/**
 * Names the client that had most of its requests refused, at most once a minute. Only the load balancer can stop such a
 * client, and it is told by its address.
 */
export class RefusedCrowds {
  readonly #logger: Logger;
  readonly #everyMs: number;
  /** By reason and address. */
  readonly #crowds = new Map<string, Crowd>();
  #refused = 0;

  /** @param everyMs interval of lines, in milliseconds; a minute by default */
  constructor(logger: Logger, everyMs: number = EVERY_MS) {
    this.#logger = logger;
    this.#everyMs = everyMs;
  }

  /** Counts a refused request. @param reason `shed`, or the code of the error */
  refused(address: string, reason: string): void {
    if (this.#refused === 0) setTimeout(() => this.#tell(), this.#everyMs).unref();
    this.#refused += 1;
    const client = clientOf(address);
    const name = `${reason} ${client}`;
    const crowd = this.#crowds.get(name);
    if (crowd !== undefined) crowd.requests += 1;
    else if (this.#crowds.size < MAX_CLIENTS) this.#crowds.set(name, { address: client, reason, requests: 1 });
  }

  #tell(): void {
    const [largest] = [...this.#crowds.values()].sort((one, other) => other.requests - one.requests);
    if (largest !== undefined && largest.requests >= LEAST) {
      this.#logger.event('requests.refused_often', { ...largest, of: this.#refused });
    }
    this.#crowds.clear();
    this.#refused = 0;
  }
}
