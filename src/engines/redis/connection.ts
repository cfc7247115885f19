import type { ConnectionOptions } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import { ServiceUnavailableError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { FaultLog } from '../../fault-log.js';
import { describeRedisFault, isDisconnected, isRedisUnavailable } from './faults.js';

/** How Redis is connected to. */
export interface RedisConnectionOptions {
  /** `redis:` or `rediss:` URL with user and password if needed, or the path of a unix socket. */
  readonly url: string;
  readonly logger: Logger;
  /** Longest wait for a reply, in milliseconds; 5,000 by default. */
  readonly commandTimeoutMs?: number;
  /** Beyond what `rediss:` says: a private certificate authority, for example. */
  readonly tls?: ConnectionOptions;
}

/** One process's connection to Redis. It reconnects by itself, after 50 ms at first and 2 s at most. */
export interface RedisConnection {
  /** Fails at once while there is no connection: nothing queues up, nothing is sent twice. */
  readonly client: Redis;
  /**
   * A further client for a consumer that blocks: it waits for the connection instead of failing. Closed with
   * the connection.
   */
  openBlockingClient(): Redis;
  /**
   * Runs commands. A Redis that cannot serve is logged once and becomes the error of the port.
   *
   * @throws {ServiceUnavailableError} when Redis cannot be reached, is read-only, is full and so on; its
   * cause says what to change. Every other error passes unchanged.
   */
  run<T>(commands: () => Promise<T>): Promise<T>;
  /** Reports a fault that was met outside of {@link run}. @returns what is wrong and what to change */
  report(error: unknown): string;
  /**
   * Resolves when Redis answers.
   *
   * @param timeoutMs longest wait for the connection; that of a command by default
   * @throws {ServiceUnavailableError} when it does not answer in time
   */
  ready(timeoutMs?: number): Promise<void>;
  /** Ends all clients; replies under way are waited for. */
  close(): Promise<void>;
}

const DEPENDENCY = 'Redis';
const COMMAND_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** How long a server that was said goodbye to may take to hang up. */
const DISCONNECT_TIMEOUT_MS = 500;
/** Longer than BullMQ ever blocks (10 s), so that only a dead connection is cut. */
const BLOCKING_SOCKET_TIMEOUT_MS = 30_000;

/** What sets the clients of a connection apart. */
type ClientBehaviour = Pick<
  RedisOptions,
  'enableOfflineQueue' | 'maxRetriesPerRequest' | 'autoResendUnfulfilledCommands' | 'commandTimeout' | 'socketTimeout'
>;

/** Connects in the background; whether Redis is there shows in {@link RedisConnection.ready}. */
export function connectRedis(options: RedisConnectionOptions): RedisConnection {
  return new ReconnectingRedis(options);
}

class ReconnectingRedis implements RedisConnection {
  readonly client: Redis;
  readonly #blockingClients: Redis[] = [];
  readonly #faults: FaultLog;
  /** Why there is no connection; commands that fail meanwhile do not say. */
  #connectionFault: string | undefined;

  readonly #options: RedisConnectionOptions;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#faults = new FaultLog(options.logger, DEPENDENCY);
    const commandTimeout = this.#commandTimeoutMs;
    this.client = this.#open({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout,
      // A server that vanished without a word is noticed by its silence.
      socketTimeout: commandTimeout,
    });
  }

  openBlockingClient(): Redis {
    const client = this.#open({ maxRetriesPerRequest: null, socketTimeout: BLOCKING_SOCKET_TIMEOUT_MS });
    this.#blockingClients.push(client);
    return client;
  }

  async run<T>(commands: () => Promise<T>): Promise<T> {
    try {
      const reply = await commands();
      this.#faults.served();
      return reply;
    } catch (error) {
      if (!isRedisUnavailable(error)) throw error;
      // The error of ioredis may hold a password, so only its description goes on.
      throw new ServiceUnavailableError(DEPENDENCY, { cause: new Error(this.report(error)) });
    }
  }

  report(error: unknown): string {
    const known = isDisconnected(error) ? this.#connectionFault : undefined;
    const fault = known ?? describeRedisFault(error);
    this.#faults.failed(fault);
    return fault;
  }

  async ready(timeoutMs = this.#commandTimeoutMs): Promise<void> {
    await this.#connected(timeoutMs);
    await this.run(() => this.client.ping());
  }

  async close(): Promise<void> {
    for (const client of this.#blockingClients) client.disconnect();
    if (this.client.status === 'ready') await this.client.quit().catch(() => undefined);
    this.client.disconnect();
  }

  get #commandTimeoutMs(): number {
    return this.#options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
  }

  #open(options: ClientBehaviour): Redis {
    const { url, tls } = this.#options;
    const client = new Redis(url, {
      connectTimeout: COMMAND_TIMEOUT_MS,
      disconnectTimeout: DISCONNECT_TIMEOUT_MS,
      retryStrategy: reconnectDelay,
      // After a failover the name leads to the new primary; only a new connection finds it.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      ...options,
      ...(tls !== undefined && { tls }),
    });
    client.on('error', (error) => {
      this.#connectionFault = describeRedisFault(error);
      this.#faults.failed(this.#connectionFault);
    });
    client.on('ready', () => {
      this.#connectionFault = undefined;
    });
    return client;
  }

  /** Waits for the connection, but not longer than the time-out; who asks next learns why there is none. */
  async #connected(timeoutMs: number): Promise<void> {
    if (this.client.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(settle, timeoutMs);
      const client = this.client;
      function settle(): void {
        clearTimeout(timer);
        client.off('ready', settle);
        resolve();
      }
      client.once('ready', settle);
    });
  }
}

function reconnectDelay(attempt: number): number {
  const delay = Math.min(50 * 2 ** (attempt - 1), MAX_RECONNECT_DELAY_MS);
  // Replicas that lost the same server should not come back in step.
  return Math.round(delay * (0.5 + Math.random() / 2));
}
