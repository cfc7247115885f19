import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { freePorts, startProgram, type ChildProgram } from './child-program.js';
import {
  followsItsPrimary,
  killCaughtUp,
  startRedis,
  type RedisServer,
  type RedisServerOptions,
} from './redis-server.js';
import { waitFor } from './wait-for.js';

export interface RedisSentinelsOptions extends Pick<RedisServerOptions, 'password'> {
  /** Everybody speaks TLS, and nothing else; the certificate is its own authority. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** The password of the sentinels themselves; without one by default. */
  readonly sentinelPassword?: string;
}

const NAME = 'gateway';
const SENTINELS = 3;
const QUORUM = 2;
/** The primary may not answer for so long on a busy machine; only what a test kills is to be failed over. */
const PATIENT_MS = 60_000;
const IMPATIENT_MS = 1_000;
const FAILOVER_TIMEOUT_MS = 10_000;

/** Starts one on loopback; a few seconds after which the sentinels know each other and the replica. */
export async function startRedisSentinels(options: RedisSentinelsOptions = {}): Promise<RedisSentinels> {
  const ports = await freePorts(2 + SENTINELS);
  const set = new RedisSentinels(await mkdtemp(path.join(tmpdir(), 'gateway-sentinels-')), ports, options);
  try {
    await set.start();
  } catch (error) {
    await set.stop();
    throw error;
  }
  return set;
}

/** A private primary with a replica, and three sentinels, two of which have to agree. */
export class RedisSentinels {
  /** For `REDIS_URL`. */
  readonly url: string;
  readonly #directory: string;
  readonly #ports: readonly number[];
  readonly #options: RedisSentinelsOptions;
  readonly #servers: RedisServer[] = [];
  readonly #sentinels: { readonly program: ChildProgram; readonly client: Redis }[] = [];

  constructor(directory: string, ports: readonly number[], options: RedisSentinelsOptions) {
    this.#directory = directory;
    this.#ports = ports;
    this.#options = options;
    const { password, tls, sentinelPassword } = options;
    const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
    const hosts = ports.slice(2).map((port) => `127.0.0.1:${port}`);
    const query = sentinelPassword === undefined ? '' : '?sentinelAuth=true';
    this.url = `${tls ? 'rediss' : 'redis'}+sentinel://${login}${hosts.join(',')}/${NAME}${query}`;
  }

  async start(): Promise<void> {
    const [primaryPort = 0, replicaPort = 0, ...sentinelPorts] = this.#ports;
    this.#servers.push(await this.#startServer(primaryPort));
    this.#servers.push(await this.#startServer(replicaPort, ['--replicaof', '127.0.0.1', String(primaryPort)]));
    for (const port of sentinelPorts) await this.#startSentinel(port, primaryPort);
    await Promise.all(
      this.#sentinels.map(({ client }) =>
        waitFor('the sentinels to know each other and the replica', async () => {
          const [replicas, sentinels] = await Promise.all([
            client.call('SENTINEL', 'REPLICAS', NAME),
            client.call('SENTINEL', 'SENTINELS', NAME),
          ]);
          return lengthOf(replicas) === 1 && lengthOf(sentinels) === SENTINELS - 1;
        }),
      ),
    );
    const replica = this.#server(1).client();
    await followsItsPrimary(replica);
    replica.disconnect();
  }

  /** A client of the present primary that follows nothing. The caller closes it. */
  client(): Redis {
    const running = this.#servers.filter((server) => server.isRunning());
    const [server] = running;
    if (server === undefined) throw new Error('No server runs.');
    return server.client();
  }

  /**
   * Kills the primary (`kill -9`), of which the replica has everything, and resolves when the sentinels have put the
   * replica in its place. Once.
   */
  async failOver(): Promise<void> {
    const [primary, replica] = [this.#server(0), this.#server(1)];
    const clients = [primary.client(), replica.client()] as const;
    await killCaughtUp({ server: primary, client: clients[0] }, clients[1]);
    await this.#replaceMissing();
    for (const client of clients) client.disconnect();
  }

  /** Stops the primary as its operator does (SIGTERM), and resolves like {@link failOver}. Once. */
  async stopPrimary(): Promise<void> {
    process.kill(this.#server(0).pid, 'SIGTERM');
    await waitFor('the primary to end', () => !this.#server(0).isRunning());
    await this.#replaceMissing();
  }

  async #replaceMissing(): Promise<void> {
    await Promise.all(
      this.#sentinels.map(({ client }) =>
        client.call('SENTINEL', 'SET', NAME, 'down-after-milliseconds', IMPATIENT_MS),
      ),
    );
    await this.#allName(1);
  }

  /** Lets the sentinels change the primary as an operator does, while both servers run, and waits until all name it. */
  async switchOver(): Promise<void> {
    const [first] = this.#sentinels;
    await first?.client.call('SENTINEL', 'FAILOVER', NAME);
    await this.#allName(1);
  }

  /** Stops a sentinel, so that the two others remain. Once. */
  async stopSentinel(): Promise<void> {
    const away = this.#sentinels.pop();
    away?.client.disconnect();
    await away?.program.stop();
  }

  /** The server that is the primary at the start. */
  get primary(): RedisServer {
    return this.#server(0);
  }

  get replica(): RedisServer {
    return this.#server(1);
  }

  async #allName(index: number): Promise<void> {
    await Promise.all(
      this.#sentinels.map(({ client }) =>
        waitFor('the sentinels to name the replica', async () => {
          const address: unknown = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
          return Array.isArray(address) && Number(address[1]) === this.#ports[index];
        }),
      ),
    );
  }

  async stop(): Promise<void> {
    for (const { client } of this.#sentinels) client.disconnect();
    await Promise.all(this.#sentinels.map(({ program }) => program.stop()));
    await Promise.all(this.#servers.map((server) => server.stop()));
    await rm(this.#directory, { recursive: true, force: true });
  }

  #server(index: number): RedisServer {
    const server = this.#servers[index];
    if (server === undefined) throw new Error('There are two servers.');
    return server;
  }

  #startServer(port: number, args: readonly string[] = []): Promise<RedisServer> {
    const { sentinelPassword: _ofOthers, ...options } = this.#options;
    return startRedis({ ...options, appendOnly: true, replicated: true, port, args });
  }

  async #startSentinel(port: number, primaryPort: number): Promise<void> {
    const { password, tls, sentinelPassword } = this.#options;
    const name = `sentinel-${port}`;
    const file = path.join(this.#directory, `${name}.conf`);
    // A sentinel keeps what it learns in the file it was started with.
    await writeFile(
      file,
      [
        'bind 127.0.0.1',
        `dir ${this.#directory}`,
        ...(tls
          ? [
              'port 0',
              `tls-port ${port}`,
              'tls-replication yes',
              'tls-auth-clients no',
              `tls-cert-file ${tls.certFile}`,
              `tls-key-file ${tls.keyFile}`,
              `tls-ca-cert-file ${tls.certFile}`,
            ]
          : [`port ${port}`]),
        ...(sentinelPassword === undefined
          ? []
          : [`requirepass "${sentinelPassword}"`, `sentinel sentinel-pass "${sentinelPassword}"`]),
        `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} ${QUORUM}`,
        `sentinel down-after-milliseconds ${NAME} ${PATIENT_MS}`,
        `sentinel failover-timeout ${NAME} ${FAILOVER_TIMEOUT_MS}`,
        ...(password === undefined ? [] : [`sentinel auth-pass ${NAME} "${password}"`]),
        '',
      ].join('\n'),
    );
    const program = await startProgram('redis-server', {
      args: [file, '--sentinel'],
      logFile: path.join(this.#directory, `${name}.log`),
    });
    const client = new Redis({
      host: '127.0.0.1',
      port,
      ...(sentinelPassword !== undefined && { password: sentinelPassword }),
      // The server is one of this test.
      ...(tls && { tls: { rejectUnauthorized: false } }),
    } satisfies RedisOptions);
    // It waits until the sentinel has started, and reconnects until it is closed.
    client.on('error', () => undefined);
    this.#sentinels.push({ program, client });
  }
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
