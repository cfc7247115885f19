import { connect as connectPlainly } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type ClusterNode, type ClusterOptions, type RedisOptions } from 'ioredis';
import {
  parseRedisUrl,
  type RedisAddress,
  type RedisBehindSentinels,
  type RedisCluster,
  type RedisServer,
  type RedisServers,
} from '../../config/redis-url.js';
import { FailFastCluster, FailFastRedis } from './fail-fast-clients.js';
import { TlsOnOneSideError } from './faults.js';

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
/** How long a server may take to answer in the way that it is not spoken to in. */
const PROBE_TIMEOUT_MS = 1_000;
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
    openServer: (settings) => new FailFastRedis(settings),
    openCluster: (nodes, settings) => new FailFastCluster(nodes, settings),
  });
}

/** A client for a consumer that blocks: its commands wait for the connection, however long that takes. */
export function openWaitingClient(options: Omit<ClientOptions, 'commandTimeoutMs'>): RedisClient {
  return openClient(options, {
    waits: true,
    server: { maxRetriesPerRequest: null, socketTimeout: BLOCKING_SOCKET_TIMEOUT_MS },
    cluster: { maxRedirections: Infinity, retryDelayOnMoved: REDIRECTION_DELAY_MS },
    openServer: (settings) => new Redis(settings),
    openCluster: (nodes, settings) => new Cluster(nodes, settings),
  });
}

/** Without what would change the shape of replies. */
type ServerSettings = Omit<RedisOptions, 'replyMapping'>;
type ClusterSettings = Omit<ClusterOptions, 'redisOptions'>;

/** In a Cluster it is the Cluster that decides whether to wait, and when to connect again. */
type NodeSettings = Omit<NonNullable<ClusterOptions['redisOptions']>, 'replyMapping'>;

/**
 * Why a server, the first node of a Cluster or the first sentinel cannot be connected to; clients of several keep it to
 * themselves, and of a server that speaks TLS to one that does not nobody says more than that it hung up.
 *
 * @returns undefined when it can be
 */
export async function whyUnreachable({ url, tls }: Pick<ClientOptions, 'url' | 'tls'>): Promise<Error | undefined> {
  if (isSocket(url)) return undefined;
  const servers = parseRedisUrl(url);
  const address = firstOf(servers);
  if (address === undefined) return undefined;
  if (await speaksTheOtherWay(address, servers.tls)) return new TlsOnOneSideError(servers.tls);
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

function firstOf(servers: RedisServers): RedisAddress | undefined {
  if (servers.kind === 'single') return { host: servers.host, port: servers.port };
  return servers.kind === 'cluster' ? servers.nodes[0] : servers.sentinels[0];
}

/** Whether a server speaks TLS that is spoken to without, or the other way round. */
function speaksTheOtherWay({ host, port }: RedisAddress, tls: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tls ? connectPlainly(port, host) : connectSecurely(port, host, { rejectUnauthorized: false });
    const settle = (answer: boolean): void => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => settle(false));
    // Later ones are heard as well, or the process would end.
    socket.on('error', () => settle(false));
    socket.once('close', () => settle(false));
    if (tls) socket.write('PING\r\n');
    // Without a password it says that one is missing.
    if (tls) socket.once('data', (reply: Buffer) => settle(/^[+-]/.test(reply.toString('latin1'))));
    else socket.once('secureConnect', () => settle(true));
  });
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
  readonly openServer: (options: ServerSettings) => Redis;
  readonly openCluster: (nodes: ClusterNode[], options: ClusterSettings & { redisOptions: NodeSettings }) => Cluster;
}

function openClient({ url, tls }: Pick<ClientOptions, 'url' | 'tls'>, behaviour: Behaviour): RedisClient {
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
  if (isSocket(url)) return behaviour.openServer({ ...ofServer, path: url });
  const servers = parseRedisUrl(url);
  switch (servers.kind) {
    case 'single':
      return behaviour.openServer({ ...ofServer, ...serverSettings(servers, tls) });
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

function isSocket(url: string): boolean {
  return url.startsWith('/');
}

function serverSettings(server: RedisServer, tls: ConnectionOptions | undefined): ServerSettings {
  const { host, port, database: db } = server;
  return { host, port, db, ...loginOf(server), ...(server.tls && { tls: tls ?? {} }) };
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

function loginOf({ username, password }: RedisServer | RedisCluster | RedisBehindSentinels): NodeSettings {
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
