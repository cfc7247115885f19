import type { ConnectionOptions } from 'node:tls';
import { Cluster, type Redis } from 'ioredis';
import { ConfigError } from '../../config/config.js';
import { ServiceUnavailableError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';
import { FaultLog, type Use } from '../../logging/fault-log.js';
import {
  hangUp,
  openFailFastClient,
  openWaitingClient,
  whyUnreachable,
  type ClientOptions,
  type RedisClient,
} from './clients.js';
import {
  CLUSTER_NOT_SERVING,
  describeRedisFault,
  isDisconnected,
  isRedisUnavailable,
  isUnknownDatabase,
  refusesWrites,
  TlsOnOneSideError,
} from './faults.js';

/** How Redis is connected to. */
export interface RedisConnectionOptions {
  /** As in `REDIS_URL`, with user and password if needed, or the path of a unix socket. */
  readonly url: string;
  readonly logger: Logger;
  /** Longest wait for a reply, in milliseconds; 5,000 by default. */
  readonly commandTimeoutMs?: number;
  /** Beyond what `rediss:` says: a private certificate authority, for example. */
  readonly tls?: ConnectionOptions;
}

const DEPENDENCY = 'Redis';
const COMMAND_TIMEOUT_MS = 5_000;

/** Connects in the background; whether Redis is there shows in {@link RedisConnection.ready}. */
export function connectRedis(options: RedisConnectionOptions): RedisConnection {
  return new RedisConnection(options);
}

/**
 * One process's connection to Redis: a server, the primary that sentinels know, or a Cluster. It reconnects by itself,
 * after 50 ms at first and 2 s at most.
 */
export class RedisConnection {
  /** Fails at once while there is no connection: nothing queues up, nothing is sent twice. */
  readonly client: RedisClient;
  readonly #blockingClients: RedisClient[] = [];
  readonly #faults: FaultLog;
  /** Why there is no connection; commands that fail meanwhile do not say. */
  #connectionFault: string | undefined;
  /** The same where it was found out and stays. */
  #lastingFault: Error | undefined;

  readonly #options: ClientOptions;

  constructor({ url, logger, tls, commandTimeoutMs = COMMAND_TIMEOUT_MS }: RedisConnectionOptions) {
    this.#options = { url, tls, commandTimeoutMs };
    this.#faults = new FaultLog(logger, DEPENDENCY);
    this.client = this.#watched(openFailFastClient(this.#options));
  }

  /**
   * A client of each server that takes writes: of a Cluster several.
   *
   * @throws {Error} one that {@link run} understands, when there is no connection to one of them
   */
  primaries(): readonly Redis[] {
    return this.client instanceof Cluster ? primariesOf(this.client) : [this.client];
  }

  /**
   * A further client for a consumer that blocks: it waits for the connection instead of failing. Closed with the
   * connection.
   */
  openBlockingClient(): RedisClient {
    const client = this.#watched(openWaitingClient(this.#options));
    this.#blockingClients.push(client);
    return client;
  }

  /**
   * Runs commands. A Redis that cannot serve is logged once and becomes the error of the port.
   *
   * @throws {ServiceUnavailableError} when Redis cannot be reached, is read-only, is full and so on; its
   * cause says what to change. Every other error passes unchanged.
   */
  run<T>(commands: () => Promise<T>): Promise<T> {
    return this.#ask('reading', commands);
  }

  /** As {@link run}, for commands that write: they alone show that a Redis that took no writes takes them again. */
  write<T>(commands: () => Promise<T>): Promise<T> {
    return this.#ask('writing', commands);
  }

  /** Something was written outside of {@link write}. */
  written(): void {
    this.#faults.served('writing');
  }

  /** Whether it failed at something, and has not served that since. */
  isInDoubt(): boolean {
    return this.#faults.isInDoubt;
  }

  async #ask<T>(use: Use, commands: () => Promise<T>): Promise<T> {
    try {
      const reply = await commands();
      this.#faults.served(use);
      return reply;
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      // The error of ioredis may hold a password, so only its description goes on.
      throw new ServiceUnavailableError(DEPENDENCY, { cause: new Error(this.report(error)) });
    }
  }

  /** Reports a fault that was met outside of {@link run}. @returns what is wrong and what to change */
  report(error: unknown): string {
    const fault = (isDisconnected(error) ? this.#whyDisconnected() : undefined) ?? describeRedisFault(error);
    this.#faults.failed(refusesWrites(error) ? 'writing' : 'reading', fault);
    return fault;
  }

  /**
   * Resolves when Redis answers.
   *
   * @param timeoutMs longest wait for the connection; that of a command by default
   * @throws {ServiceUnavailableError} when it does not answer in time
   * @throws {ConfigError} when it has no such database
   */
  async ready(timeoutMs = this.#options.commandTimeoutMs): Promise<void> {
    await this.#connected(timeoutMs);
    if (this.#lastingFault instanceof ConfigError) throw this.#lastingFault;
    if (this.client.status !== 'ready') await this.#findOutWhy();
    await this.run(() => this.client.ping());
  }

  /** Ends all clients; replies under way are waited for. */
  async close(): Promise<void> {
    for (const client of this.#blockingClients) hangUp(client);
    if (this.client.status === 'ready') await this.client.quit().catch(() => undefined);
    hangUp(this.client);
  }

  async #findOutWhy(): Promise<void> {
    const reason = await whyUnreachable(this.#options);
    this.#lastingFault = reason instanceof TlsOnOneSideError ? reason : undefined;
    if (reason !== undefined) this.#connectionFault ??= describeRedisFault(reason);
  }

  #whyDisconnected(): string | undefined {
    if (this.#lastingFault !== undefined) return faultOf(this.#lastingFault);
    return this.#connectionFault ?? (this.client instanceof Cluster ? CLUSTER_NOT_SERVING : undefined);
  }

  #watched(client: RedisClient): RedisClient {
    client.on('error', (error) => {
      if (isUnknownDatabase(error)) {
        // Without it the client would go on with database 0.
        this.#lastingFault = new ConfigError([describeRedisFault(error)]);
        client.disconnect(true);
      }
      if (isDisconnected(error)) return;
      this.#connectionFault = faultOf(this.#lastingFault ?? error);
      this.#faults.failed('reading', this.#connectionFault);
    });
    // A Cluster may serve without that node; if it does not, this is why.
    client.on('node error', (error) => {
      if (!isDisconnected(error)) this.#connectionFault = describeRedisFault(error);
    });
    client.on('ready', () => {
      this.#connectionFault = undefined;
      this.#lastingFault = undefined;
    });
    return client;
  }

  /** Waits for the connection, but not longer than the time-out; who asks next learns why there is none. */
  async #connected(timeoutMs: number): Promise<void> {
    if (this.client.status === 'ready' || this.#lastingFault !== undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(settle, timeoutMs);
      const client = this.client;
      function settle(): void {
        clearTimeout(timer);
        client.off('ready', settle);
        client.off('error', settleIfLasting);
        resolve();
      }
      const settleIfLasting = (): void => {
        if (this.#lastingFault !== undefined) settle();
      };
      client.once('ready', settle);
      client.on('error', settleIfLasting);
    });
  }
}

function faultOf(error: unknown): string {
  return error instanceof ConfigError ? error.faults.join(' ') : describeRedisFault(error);
}

function primariesOf(cluster: Cluster): readonly Redis[] {
  const connected = new Map(cluster.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]));
  const names = new Set(cluster.slots.flatMap(([name]) => name ?? []));
  return [...names].map((name) => {
    const node = connected.get(name);
    if (node !== undefined) return node;
    // It may be back, or another one in its place, by the time somebody asks again.
    cluster.refreshSlotsCache();
    throw new Error('Node is disconnected');
  });
}
