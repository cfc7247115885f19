import { connect as connectPlainly } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import {
  parseRedisUrl,
  type RedisAddress,
  type RedisBehindSentinels,
  type RedisServers,
} from '../../../base/config/redis-url.js';
import { present } from '../../record/stored-fields.js';
import { TlsOnOneSideError } from './redis-faults.js';

export type RedisClient = Redis | Cluster;

export interface ClientOptions {
  readonly url: string;
  /** Settings of TLS besides `rediss:`, such as a private certificate authority. */
  readonly tls: ConnectionOptions | undefined;
  readonly commandTimeoutMs: number;
  /** Returns the address in place of one that a sentinel names; undefined if that is right. */
  readonly successorOf?: ((address: string) => RedisAddress | undefined) | undefined;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum wait for an answer in the protocol that is not configured, TLS or plain. */
const PROBE_TIMEOUT_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** Maximum time for a server to close the connection after QUIT. */
const DISCONNECT_TIMEOUT_MS = 500;
/** Time without data after which a connection is cut. It is longer than BullMQ ever blocks, which is 10 s. */
const BLOCKING_SOCKET_TIMEOUT_MS = 30_000;
/** Time without data after which a connection with a sentinel is probed, because sentinels are silent for days. */
const KEEP_ALIVE_PROBE_MS = 10_000;
/** Pause before a redirected Cluster command is repeated; nodes may disagree for a moment. */
const REDIRECTION_DELAY_MS = 50;
/** Interval for refreshing the list of nodes, so that some are known when the configured ones are replaced. */
const SLOTS_REFRESH_MS = 60_000;

/** Settings without those that would change the shape of replies. */
type ServerSettings = Omit<RedisOptions, 'replyMapping'>;

/** Settings of a node. The client of the Cluster decides about waiting and reconnecting. */
type NodeSettings = Omit<NonNullable<ClusterOptions['redisOptions']>, 'replyMapping'>;

/** Opens a client that connects in the background. Without a connection its commands fail; none is sent twice. */
export function openFailFastClient({ url, tls, commandTimeoutMs, successorOf }: ClientOptions): RedisClient {
  const ofNode: NodeSettings = {
    ...EVERY_NODE,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: commandTimeoutMs,
    // A server that vanished silently is noticed by the time-out.
    socketTimeout: commandTimeoutMs,
  };
  const place = placeOf({ url, tls, successorOf });
  if ('nodes' in place) {
    const redisOptions = { ...ofNode, ...place.ofNode };
    // A command may have been executed although its reply was lost. A redirected one was not, nor one that was refused
    // because slots are moving; these are repeated.
    return new FailFastCluster(place.nodes, { ...EVERY_CLUSTER, retryDelayOnFailover: 0, redisOptions });
  }
  return new FailFastRedis({ ...ofNode, enableOfflineQueue: false, retryStrategy: reconnectDelay, ...place.ofServer });
}

/** Opens a client for a blocking consumer: its commands wait for the connection without a limit. */
export function openWaitingClient({ url, tls, successorOf }: Omit<ClientOptions, 'commandTimeoutMs'>): RedisClient {
  const ofNode: NodeSettings = { ...EVERY_NODE, maxRetriesPerRequest: null, socketTimeout: BLOCKING_SOCKET_TIMEOUT_MS };
  const place = placeOf({ url, tls, successorOf });
  if ('nodes' in place) {
    const redisOptions = { ...ofNode, ...place.ofNode };
    const redirections = { maxRedirections: Infinity, retryDelayOnMoved: REDIRECTION_DELAY_MS };
    return new Cluster(place.nodes, { ...EVERY_CLUSTER, ...redirections, redisOptions });
  }
  return new CopiedRedis({ ...ofNode, retryStrategy: reconnectDelay, ...place.ofServer });
}

/** Client that emits `copied` with each copy; a worker of BullMQ makes one for commands that block. */
class CopiedRedis extends Redis {
  override duplicate(...options: Parameters<Redis['duplicate']>): Redis {
    const copy = super.duplicate(...options);
    this.emit('copied', copy);
    return copy;
  }
}

/** Opens a client of each sentinel, which waits for its sentinel; none for a URL without sentinels. */
export function openSentinelClients({ url, tls }: Pick<ClientOptions, 'url' | 'tls'>): readonly Redis[] {
  const servers = parseRedisUrl(url);
  if (servers.kind !== 'sentinel') return [];
  const { username, password, sentinelAuth } = servers;
  return servers.sentinels.map((address) => {
    const client = new Redis({
      ...address,
      ...(sentinelAuth && present({ username, password })),
      ...(servers.tls && { tls: tls ?? {} }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: null,
      retryStrategy: reconnectDelay,
      keepAlive: KEEP_ALIVE_PROBE_MS,
    });
    // The clients of the primary report what is wrong with the sentinels.
    client.on('error', () => undefined);
    return client;
  });
}

/**
 * Finds the reason why a server, the first node of a Cluster or the first sentinel cannot be reached. The clients of
 * several servers do not report it, and a mismatch of TLS shows only as a closed connection.
 *
 * @returns undefined if it can be reached
 */
export async function whyUnreachable({ url, tls }: Pick<ClientOptions, 'url' | 'tls'>): Promise<Error | undefined> {
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

/** Returns true if a server expects TLS and is contacted without it, or the other way round. */
function speaksTheOtherWay({ host, port }: RedisAddress, tls: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tls ? connectPlainly(port, host) : connectSecurely(port, host, { rejectUnauthorized: false });
    const settle = (answer: boolean): void => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => settle(false));
    // This must keep listening, because a later error that is unhandled would end the process.
    socket.on('error', () => settle(false));
    socket.once('close', () => settle(false));
    if (tls) socket.write('PING\r\n');
    // A server that requires a password replies with an error, which is an answer too.
    if (tls) socket.once('data', (reply: Buffer) => settle(/^[+-]/.test(reply.toString('latin1'))));
    else socket.once('secureConnect', () => settle(true));
  });
}

/**
 * Ends a client. A TLS connection that is ended during its handshake can fail twice: when the certificate is not
 * trusted, and when the server did not expect the end. ioredis listens for one error only, and an unhandled one would
 * end the process.
 */
export function hangUp(client: RedisClient): void {
  for (const { stream } of client instanceof Cluster ? client.nodes() : [client]) {
    // The stream is undefined before the first attempt to connect, despite its type.
    (stream as typeof stream | undefined)?.on('error', () => undefined);
  }
  client.disconnect();
}

const EVERY_NODE: NodeSettings = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  // After a failover the name, or a sentinel, leads to the new primary. Only a new connection finds it.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

const EVERY_CLUSTER: Omit<ClusterOptions, 'redisOptions'> = {
  clusterRetryStrategy: reconnectDelay,
  slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
  slotsRefreshInterval: SLOTS_REFRESH_MS,
  // Names are not resolved here, because certificates are issued for them.
  dnsLookup: (name, callback) => callback(null, name),
};

/** Address of a server or of its sentinels, or nodes of a Cluster; with login and TLS. */
type ServerPlace =
  | { readonly ofServer: ServerSettings }
  | { readonly nodes: RedisAddress[]; readonly ofNode: NodeSettings };

function placeOf({ url, tls, successorOf }: Omit<ClientOptions, 'commandTimeoutMs'>): ServerPlace {
  const servers = parseRedisUrl(url);
  const { username, password } = servers;
  const common: NodeSettings = present({ username, password, tls: tls ?? (servers.tls ? {} : undefined) });
  switch (servers.kind) {
    case 'single':
      return { ofServer: { host: servers.host, port: servers.port, db: servers.database, ...common } };
    case 'sentinel':
      return { ofServer: { db: servers.database, ...common, ...sentinelSettings(servers, tls, successorOf) } };
    case 'cluster':
      return { nodes: [...servers.nodes], ofNode: common };
  }
}

function sentinelSettings(
  servers: RedisBehindSentinels,
  tls: ConnectionOptions | undefined,
  successorOf: ClientOptions['successorOf'],
): ServerSettings {
  const { username, password, sentinelAuth } = servers;
  return {
    sentinels: [...servers.sentinels],
    name: servers.name,
    ...(sentinelAuth && present({ sentinelUsername: username, sentinelPassword: password })),
    ...(servers.tls && { sentinelTLS: tls ?? {}, enableTLSForSentinelMode: true }),
    // `failoverDetector` is not set: if it acts while the client reconnects by itself, the client ends for good.
    ...(successorOf && { natMap: (address) => successorOf(address) ?? null }),
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: reconnectDelay,
  };
}

function reconnectDelay(attempt: number): number {
  const delay = Math.min(50 * 2 ** (attempt - 1), MAX_RECONNECT_DELAY_MS);
  // Jitter: replicas that lost the same server reconnect at different times.
  return Math.round(delay * (0.5 + Math.random() / 2));
}

/**
 * Client of one server. It writes the commands of one turn of the event loop together, because for a small command the
 * system call costs as much as the rest.
 */
export class FailFastRedis extends Redis {
  override sendCommand(...[command, pipeline]: Parameters<Redis['sendCommand']>): unknown {
    const { stream } = this;
    if (this.status === 'ready' && stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(command, pipeline);
  }
}

/**
 * Client of a Cluster whose commands fail at once while no node is known to serve. With the option of ioredis for that
 * (`enableOfflineQueue`), the first command to each slot would fail as well, because its node is still connecting.
 */
class FailFastCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client uses this command to query the nodes for their state.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('Connection is closed.'));
    return command.promise;
  }
}
