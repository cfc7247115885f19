import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type ClusterNode, type ClusterOptions, type RedisOptions } from 'ioredis';
import {
  parseRedisUrl,
  type RedisAddress,
  type RedisBehindSentinels,
  type RedisCluster,
  type RedisServers,
} from '../../config/redis-url.js';
import { FailFastCluster, FailFastRedis } from './fail-fast-clients.js';

/** A client, whatever it is connected to. */
export type RedisClient = Redis | Cluster;

/** Where clients connect to, and how. */
export interface ClientOptions {
  /** For `parseRedisUrl`, or the path of a unix socket. */
  readonly url: string;
  /** Beyond what `rediss:` says: a private certificate authority, for example. */
  readonly tls: ConnectionOptions | undefined;
  /** Longest wait for a reply, in milliseconds. */
  readonly commandTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** How long a server that was said goodbye to may take to hang up. */
const DISCONNECT_TIMEOUT_MS = 500;
/** Longer than BullMQ ever blocks (10 s), so that only a dead connection is cut. */
const BLOCKING_SOCKET_TIMEOUT_MS = 30_000;
/** Before what was sent to the wrong node of a Cluster goes to the right one; those may not agree for a moment. */
const REDIRECTION_DELAY_MS = 50;
/** How often a Cluster is asked for its nodes, so that some are known when those of the start have gone. */
const SLOTS_REFRESH_MS = 60_000;

/**
 * A client whose commands fail at once while there is no connection: nothing queues up, nothing is sent twice.
 * It connects in the background.
 */
export function openFailFastClient({ commandTimeoutMs, ...options }: ClientOptions): RedisClient {
  return openClient(options, {
    waits: false,
    server: {
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: commandTimeoutMs,
      // A server that vanished without a word is noticed by its silence.
      socketTimeout: commandTimeoutMs,
    },
    // A command whose reply was lost may have been executed. One that was sent on, or refused because slots are on
    // their way, has not been.
    cluster: { retryDelayOnFailover: 0 },
    openServer: (settings, url) => (url === undefined ? new FailFastRedis(settings) : new FailFastRedis(url, settings)),
    openCluster: (nodes, settings) => new FailFastCluster(nodes, settings),
  });
}

/** A client for a consumer that blocks: its commands wait for the connection, however long that takes. */
export function openWaitingClient(options: Omit<ClientOptions, 'commandTimeoutMs'>): RedisClient {
  return openClient(options, {
    waits: true,
    server: { maxRetriesPerRequest: null, socketTimeout: BLOCKING_SOCKET_TIMEOUT_MS },
    cluster: { maxRedirections: Infinity, retryDelayOnMoved: REDIRECTION_DELAY_MS },
    openServer: (settings, url) => (url === undefined ? new Redis(settings) : new Redis(url, settings)),
    openCluster: (nodes, settings) => new Cluster(nodes, settings),
  });
}

/** Without what would change the shape of replies. */
type ServerSettings = Omit<RedisOptions, 'replyMapping'>;
type ClusterSettings = Omit<ClusterOptions, 'redisOptions'>;

/** In a Cluster it is the Cluster that decides whether to wait, and when to connect again. */
type NodeSettings = Omit<NonNullable<ClusterOptions['redisOptions']>, 'replyMapping'>;

/**
 * Why no node of a Cluster, or no sentinel, can be connected to; their clients keep it to themselves.
 *
 * @returns undefined when the first of them can be
 */
export async function whyUnreachable({ url, tls }: Pick<ClientOptions, 'url' | 'tls'>): Promise<Error | undefined> {
  const servers = serversOf(url);
  if (servers.kind === 'single') return undefined;
  const [address] = servers.kind === 'cluster' ? servers.nodes : servers.sentinels;
  const client = new Redis({
    ...address,
    ...(servers.tls && { tls: tls ?? {} }),
    connectTimeout: CONNECT_TIMEOUT_MS,
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: null,
  });
  let reason: Error | undefined;
  client.once('error', (error) => (reason = error));
  await client.connect().catch(() => undefined);
  hangUp(client);
  return reason;
}

/**
 * Ends a client. A TLS connection that is ended during its handshake can fail twice: because the certificate is not
 * trusted, and once more because the server did not expect the end. ioredis listens once, and an error that nobody
 * listens to ends the process.
 */
export function hangUp(client: RedisClient): void {
  for (const { stream } of client instanceof Cluster ? client.nodes() : [client]) {
    // There is none before the first attempt to connect, whatever its type says.
    (stream as typeof stream | undefined)?.on('error', () => undefined);
  }
  client.disconnect();
}

/** What sets the clients of a connection apart. */
interface Behaviour {
  readonly server: NodeSettings;
  readonly waits: boolean;
  readonly cluster: ClusterSettings;
  readonly openServer: (options: ServerSettings, url?: string) => Redis;
  readonly openCluster: (nodes: ClusterNode[], options: ClusterSettings & { redisOptions: NodeSettings }) => Cluster;
}

function openClient({ url, tls }: Pick<ClientOptions, 'url' | 'tls'>, behaviour: Behaviour): RedisClient {
  const servers = serversOf(url);
  const ofNode: NodeSettings = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    // After a failover the name, or a sentinel, leads to the new primary; only a new connection finds it.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...behaviour.server,
  };
  const ofServer: ServerSettings = {
    ...ofNode,
    enableOfflineQueue: behaviour.waits,
    retryStrategy: reconnectDelay,
    ...(tls && { tls }),
  };
  switch (servers.kind) {
    case 'single':
      return behaviour.openServer(ofServer, servers.url);
    case 'sentinel':
      return behaviour.openServer({ ...ofServer, ...sentinelSettings(servers, tls) });
    case 'cluster':
      return behaviour.openCluster(servers.nodes.map(mutable), {
        clusterRetryStrategy: reconnectDelay,
        slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
        slotsRefreshInterval: SLOTS_REFRESH_MS,
        // Names stay names, because certificates are made out to them.
        dnsLookup: (name, callback) => callback(null, name),
        ...behaviour.cluster,
        redisOptions: { ...ofNode, ...loginOf(servers), ...(servers.tls && { tls: tls ?? {} }) },
      });
  }
}

function serversOf(url: string): RedisServers {
  return url.startsWith('/') ? { kind: 'single', url } : parseRedisUrl(url);
}

function sentinelSettings(servers: RedisBehindSentinels, tls: ConnectionOptions | undefined): ServerSettings {
  const { username, password } = servers;
  return {
    sentinels: servers.sentinels.map(mutable),
    name: servers.name,
    db: servers.database,
    ...loginOf(servers),
    ...(servers.sentinelAuth && {
      ...(username !== undefined && { sentinelUsername: username }),
      ...(password !== undefined && { sentinelPassword: password }),
    }),
    ...(servers.tls && { tls: tls ?? {}, sentinelTLS: tls ?? {}, enableTLSForSentinelMode: true }),
    // Without `failoverDetector`: when it speaks up while the client reconnects by itself, the client ends for good.
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: reconnectDelay,
  };
}

function loginOf({ username, password }: RedisCluster | RedisBehindSentinels): NodeSettings {
  return { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
}

/** For a library that promises nothing. */
function mutable({ host, port }: RedisAddress): { host: string; port: number } {
  return { host, port };
}

function reconnectDelay(attempt: number): number {
  const delay = Math.min(50 * 2 ** (attempt - 1), MAX_RECONNECT_DELAY_MS);
  // Replicas that lost the same server should not come back in step.
  return Math.round(delay * (0.5 + Math.random() / 2));
}
