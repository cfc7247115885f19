import { once } from 'node:events';
import { Cluster, Redis } from 'ioredis';
import { ConfigError } from '../../../base/config/config.js';
import { parseRedisUrl } from '../../../base/config/redis-url.js';
import type { ServiceUnavailableError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import { FaultLog, type Use } from '../../../base/logging/fault-log.js';
import {
  hangUp,
  openFailFastClient,
  openWaitingClient,
  whyUnreachable,
  type ClientOptions,
  type RedisClient,
} from './clients.js';
import { PrimaryWatch } from './primary-watch.js';
import {
  CLUSTER_NOT_SERVING,
  describeRedisFault,
  isDisconnected,
  isRedisUnavailable,
  isUnknownDatabase,
  refusesWrites,
  TlsOnOneSideError,
} from './redis-faults.js';

/** Settings of a connection; `commandTimeoutMs` is 5,000 by default. */
type RedisConnectionOptions = Partial<ClientOptions> & { readonly url: string; readonly logger: Logger };

const DEPENDENCY = 'Redis';
const COMMAND_TIMEOUT_MS = 5_000;

/**
 * Connection to Redis: a server, the primary known to sentinels, or a Cluster. It connects in the background, and
 * reconnects by itself; {@link RedisConnection.ready} checks the connection.
 */
export class RedisConnection {
  /** Client whose commands fail at once without a connection: they are neither queued nor sent twice. */
  readonly client: RedisClient;
  /** One for each consumer of this process. */
  readonly #blockingClients: RedisClient[] = [];
  readonly #faults: FaultLog;
  /** Reason for the missing connection; failing commands do not contain it. */
  #connectionFault: string | undefined;
  #lastingFault: Error | undefined;

  readonly #options: ClientOptions;
  readonly #primaryWatch: PrimaryWatch | undefined;

  constructor({ url, logger, tls, commandTimeoutMs = COMMAND_TIMEOUT_MS }: RedisConnectionOptions) {
    const servers = parseRedisUrl(url);
    this.#primaryWatch = servers.kind === 'sentinel' ? new PrimaryWatch({ url, tls }, servers.name) : undefined;
    this.#options = { url, tls, commandTimeoutMs, successorOf: this.#primaryWatch?.successorOf };
    this.#faults = new FaultLog(logger, DEPENDENCY);
    this.client = this.#watched(openFailFastClient(this.#options));
  }

  /** True if keys are on several servers, which do not keep the order of commands. */
  get isCluster(): boolean {
    return this.client instanceof Cluster;
  }

  /** Returns a client of each server that takes writes. @throws {Error} for {@link run}, if one is not connected */
  primaries(): readonly Redis[] {
    return this.client instanceof Cluster ? primariesOf(this.client) : [this.client];
  }

  /** Opens a client for a blocking consumer, whose commands wait for the connection. It is closed with this one. */
  openBlockingClient(): RedisClient {
    const client = this.#watched(openWaitingClient(this.#options));
    this.#blockingClients.push(client);
    return client;
  }

  /**
   * Runs commands. A failure of Redis is logged once and becomes the error of the port.
   *
   * @param use `writing` for commands that write: only they show that a read-only Redis takes writes again
   * @throws {ServiceUnavailableError} when Redis cannot be reached, is read-only, is full and so on; its cause names
   * the remedy. Every other error passes unchanged.
   */
  async run<T>(commands: () => Promise<T>, use: Use = 'reading'): Promise<T> {
    try {
      const reply = await commands();
      this.#faults.served(use);
      return reply;
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      throw this.report(error);
    }
  }

  /** Notes a successful write outside of {@link run}. */
  written(): void {
    this.#faults.served('writing');
  }

  /** Returns true after a failed operation, until the same kind succeeds. */
  isInDoubt(): boolean {
    return this.#faults.isInDoubt;
  }

  /** Reports a fault, outside of {@link run} too. @returns the error to throw */
  report(error: unknown): ServiceUnavailableError {
    const fault = (isDisconnected(error) ? this.#whyDisconnected() : undefined) ?? describeRedisFault(error);
    // The error of ioredis may hold a password, so only its description is passed on.
    return this.#faults.failed(refusesWrites(error) ? 'writing' : 'reading', fault);
  }

  /**
   * Resolves when Redis answers. It waits for the connection for as long as for a reply.
   *
   * @throws {ServiceUnavailableError} when it does not answer in time
   * @throws {ConfigError} when it has no such database
   */
  async ready(): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.commandTimeoutMs);
    while (this.client.status !== 'ready' && this.#lastingFault === undefined && !signal.aborted) {
      // It rejects at each error, which may be the lasting one.
      await once(this.client, 'ready', { signal }).catch(() => undefined);
    }
    if (this.#lastingFault instanceof ConfigError) throw this.#lastingFault;
    if (this.client.status !== 'ready') {
      const reason = await whyUnreachable(this.#options);
      this.#lastingFault = reason instanceof TlsOnOneSideError ? reason : undefined;
      if (reason !== undefined) this.#connectionFault ??= describeRedisFault(reason);
    }
    await this.run(() => this.client.ping());
  }

  /** Leaves the primary as soon as the sentinels name another one. */
  followPrimary(): void {
    this.#primaryWatch?.start();
  }

  /** Ends all clients. Replies on their way are awaited. */
  async close(): Promise<void> {
    this.#primaryWatch?.close();
    for (const client of this.#blockingClients) hangUp(client);
    if (this.client.status === 'ready') await this.client.quit().catch(() => undefined);
    hangUp(this.client);
  }

  #whyDisconnected(): string | undefined {
    if (this.#lastingFault !== undefined) return connectionFaultOf(this.#lastingFault);
    return this.#connectionFault ?? (this.client instanceof Cluster ? CLUSTER_NOT_SERVING : undefined);
  }

  #watched(client: RedisClient): RedisClient {
    if (client instanceof Redis) {
      this.#primaryWatch?.add(client);
      client.on('copied', (copy: Redis) => this.#primaryWatch?.add(copy));
    }
    client.on('error', (error) => {
      if (isUnknownDatabase(error)) {
        // Otherwise the client would continue with database 0.
        this.#lastingFault = new ConfigError([describeRedisFault(error)]);
        client.disconnect(true);
      }
      if (isDisconnected(error)) return;
      this.#connectionFault = connectionFaultOf(this.#lastingFault ?? error);
      this.#faults.failed('reading', this.#connectionFault);
    });
    // A Cluster may serve without that node; if it does not, this is the reason.
    client.on('node error', (error) => {
      if (!isDisconnected(error)) this.#connectionFault = describeRedisFault(error);
    });
    client.on('ready', () => {
      this.#connectionFault = undefined;
      this.#lastingFault = undefined;
    });
    return client;
  }
}

function connectionFaultOf(error: unknown): string {
  return error instanceof ConfigError ? error.faults.join(' ') : describeRedisFault(error);
}

function primariesOf(cluster: Cluster): readonly Redis[] {
  const connected = new Map(cluster.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]));
  const names = new Set(cluster.slots.flatMap(([name]) => name ?? []));
  return [...names].map((name) => {
    const node = connected.get(name);
    if (node !== undefined) return node;
    // The node, or its replacement, may be known by the next call.
    cluster.refreshSlotsCache();
    throw new Error('Node is disconnected');
  });
}
