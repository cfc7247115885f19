import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { withinTime } from '../../../base/waits.js';
import type { RedisAddress } from '../../../base/config/redis-url.js';
import { openSentinelClients, type ClientOptions } from './clients.js';

/** Time after a change of the primary in which some sentinels still name the former one, in milliseconds. */
const UNSETTLED_MS = 15_000;

/** Interval at which the sentinels are asked until most of them agree, in milliseconds. */
const ASK_EVERY_MS = 200;

const ANSWER_MS = 1_000;

interface Change {
  readonly from: RedisAddress;
  readonly to: RedisAddress;
}

/**
 * Watch for a new primary. Sentinels promote a replica at once, and make the former primary a replica up to ten seconds
 * later. Until then it takes writes, which are lost (Redis documentation, "Guidelines for Redis clients with support
 * for Redis Sentinel").
 */
export class PrimaryWatch {
  readonly #open: () => readonly Redis[];
  readonly #name: string;
  readonly #clients = new Set<Redis>();
  #subscribers: readonly Redis[] = [];
  /** Change on which most sentinels agree, and monotonic time until which it counts, in milliseconds. */
  #agreed: (Change & { readonly until: number }) | undefined;
  #isClosed = false;

  /** @param name by which the sentinels know the primary */
  constructor(options: Pick<ClientOptions, 'url' | 'tls'>, name: string) {
    this.#open = () => openSentinelClients(options);
    this.#name = name;
  }

  /** Adds a client of the primary, which leaves a former one. */
  add(client: Redis): void {
    this.#clients.add(client);
    client.on('ready', () => {
      // A name may lead to either of them, so such a client leaves once, when the change is agreed on.
      if (isIP(this.#change()?.from.host ?? '') !== 0) this.#leave(client);
    });
  }

  /** Returns the address of the new primary in place of that of the former one; undefined for any other address. */
  successorOf = (address: string): RedisAddress | undefined => {
    const change = this.#change();
    return change && address === `${change.from.host}:${change.from.port}` ? change.to : undefined;
  };

  /** Subscribes to every sentinel. Those that cannot be reached are tried again and again. */
  start(): void {
    this.#subscribers = this.#open();
    for (const subscriber of this.#subscribers) {
      subscriber.on('message', (_channel, text) => {
        const [name, fromHost = '', fromPort, toHost = '', toPort] = text.split(' ');
        if (name !== this.#name) return;
        const from = { host: fromHost, port: Number(fromPort) };
        void this.#follow({ from, to: { host: toHost, port: Number(toPort) } });
      });
      // It is subscribed again after each reconnection.
      void subscriber.subscribe('+switch-master').catch(() => undefined);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const subscriber of this.#subscribers) subscriber.disconnect();
  }

  /** Waits until most sentinels name the new primary, and lets all clients leave the former one. */
  async #follow(change: Change): Promise<void> {
    const until = performance.now() + UNSETTLED_MS;
    const askers = this.#open();
    try {
      while (!this.#isClosed && !(await this.#isAgreed(askers, change.to))) {
        if (performance.now() > until) return;
        await delay(ASK_EVERY_MS);
      }
    } finally {
      for (const asker of askers) asker.disconnect();
    }
    // Each sentinel tells the change, and the first one to be agreed on counts.
    const known = this.#change()?.to;
    if (known?.host === change.to.host && known.port === change.to.port) return;
    this.#agreed = { ...change, until: performance.now() + UNSETTLED_MS };
    for (const client of this.#clients) this.#leave(client);
  }

  /** Returns true as soon as most sentinels name a primary. A client waits for one that is away, which names none. */
  async #isAgreed(askers: readonly Redis[], { host, port }: RedisAddress): Promise<boolean> {
    let agreeing = 0;
    const isMost = (): boolean => agreeing > askers.length / 2;
    const answers = new Promise<void>((resolve) => {
      const named = askers.map(async (asker) => {
        const found = await asker.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', this.#name).catch(() => []);
        if (Array.isArray(found) && found[0] === host && Number(found[1]) === port) agreeing += 1;
        if (isMost()) resolve();
      });
      void Promise.all(named).then(() => resolve());
    });
    await withinTime(answers, ANSWER_MS);
    return isMost();
  }

  /** Lets a client that is connected with the former primary connect anew. One that connects now is seen when ready. */
  #leave(client: Redis): void {
    const change = this.#change();
    if (change === undefined || client.status !== 'ready') return;
    const { remoteAddress, remotePort } = client.stream;
    const { host, port } = change.from;
    if (remotePort === port && (isIP(host) === 0 || remoteAddress === host)) client.disconnect(true);
  }

  #change(): (Change & { readonly until: number }) | undefined {
    if (this.#agreed !== undefined && performance.now() > this.#agreed.until) this.#agreed = undefined;
    return this.#agreed;
  }
}
