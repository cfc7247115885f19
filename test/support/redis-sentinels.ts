import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePorts, startProgram, type ChildProgram } from './child-program.js';
import {
  followsItsPrimary,
  killCaughtUp,
  startRedis,
  type RedisServer,
  type RedisServerOptions,
} from './redis-server.js';
import { waitFor } from './wait-for.js';

export interface RedisSentinelsOptions extends Pick<RedisServerOptions, 'password' | 'tls'> {
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

/**
 * Starts a private primary with a replica and three sentinels, two of which have to agree, on loopback; a few seconds
 * after which the sentinels know each other and the replica. With TLS, everybody speaks nothing else, and the
 * certificate is its own authority.
 */
export async function startRedisSentinels({ sentinelPassword, ...options }: RedisSentinelsOptions = {}) {
  const { password, tls } = options;
  const directory = await mkdtemp(path.join(tmpdir(), 'gateway-sentinels-'));
  const [primaryPort = 0, replicaPort = 0, ...sentinelPorts] = await freePorts(2 + SENTINELS);
  const servers: RedisServer[] = [];
  const sentinels: { readonly program: ChildProgram; readonly client: Redis }[] = [];
  const ofSentinels = (what: string, holds: (client: Redis) => Promise<boolean>): Promise<unknown> =>
    Promise.all(sentinels.map(({ client }) => waitFor(`the sentinels ${what}`, () => holds(client))));

  const stop = async (): Promise<void> => {
    for (const { client } of sentinels) client.disconnect();
    await Promise.all([...sentinels.map(({ program }) => program), ...servers].map((program) => program.stop()));
    await rm(directory, { recursive: true, force: true });
  };

  async function startServer(port: number, args: readonly string[] = []): Promise<RedisServer> {
    const server = await startRedis({ ...options, appendOnly: true, replicated: true, port, args });
    servers.push(server);
    return server;
  }

  async function startSentinel(port: number): Promise<void> {
    const name = `sentinel-${port}`;
    // A sentinel keeps what it learns in the file it was started with.
    const file = path.join(directory, `${name}.conf`);
    const secure = tls && [
      'port 0',
      `tls-port ${port}`,
      'tls-replication yes',
      'tls-auth-clients no',
      `tls-cert-file ${tls.certFile}`,
      `tls-key-file ${tls.keyFile}`,
      `tls-ca-cert-file ${tls.certFile}`,
    ];
    const lines = [
      'bind 127.0.0.1',
      `dir ${directory}`,
      ...(secure ?? [`port ${port}`]),
      ...(sentinelPassword === undefined
        ? []
        : [`requirepass "${sentinelPassword}"`, `sentinel sentinel-pass "${sentinelPassword}"`]),
      `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} ${QUORUM}`,
      `sentinel down-after-milliseconds ${NAME} ${PATIENT_MS}`,
      `sentinel failover-timeout ${NAME} ${FAILOVER_TIMEOUT_MS}`,
      ...(password === undefined ? [] : [`sentinel auth-pass ${NAME} "${password}"`]),
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const logFile = path.join(directory, `${name}.log`);
    const program = await startProgram('redis-server', { args: [file, '--sentinel'], logFile });
    const client = new Redis({
      host: '127.0.0.1',
      port,
      ...(sentinelPassword !== undefined && { password: sentinelPassword }),
      // The server is one of this test.
      ...(tls && { tls: { rejectUnauthorized: false } }),
    });
    // It waits until the sentinel has started, and reconnects until it is closed.
    client.on('error', () => undefined);
    sentinels.push({ program, client });
  }

  async function start() {
    const primary = await startServer(primaryPort);
    const replica = await startServer(replicaPort, ['--replicaof', '127.0.0.1', String(primaryPort)]);
    for (const port of sentinelPorts) await startSentinel(port);
    await ofSentinels('to know each other and the replica', async (client) => {
      const lists = ['REPLICAS', 'SENTINELS'].map((list) => client.call('SENTINEL', list, NAME));
      const [replicas, others] = (await Promise.all(lists)).map((list) => (Array.isArray(list) ? list.length : 0));
      return replicas === 1 && others === SENTINELS - 1;
    });
    const follower = replica.client();
    await followsItsPrimary(follower).finally(() => follower.disconnect());
    return { primary, replica };
  }

  const { primary, replica } = await start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const replaced = (): Promise<unknown> =>
    ofSentinels('to name the replica', async (client) => {
      const address: unknown = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
      return Array.isArray(address) && Number(address[1]) === replicaPort;
    });
  const missingIsReplaced = async (): Promise<void> => {
    const impatient = ['SET', NAME, 'down-after-milliseconds', IMPATIENT_MS];
    await Promise.all(sentinels.map(({ client }) => client.call('SENTINEL', ...impatient)));
    await replaced();
  };
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  const hosts = sentinelPorts.map((port) => `127.0.0.1:${port}`);
  const query = sentinelPassword === undefined ? '' : '?sentinelAuth=true';
  return {
    /** For `REDIS_URL`. */
    url: `${tls ? 'rediss' : 'redis'}+sentinel://${login}${hosts.join(',')}/${NAME}${query}`,
    /** The servers that have these parts at the start. */
    primary,
    replica,
    /** Returns a client of the present primary that follows nothing. The caller closes it. */
    client: (): Redis => (primary.isRunning() ? primary : replica).client(),
    /**
     * Kills the primary (`kill -9`), of which the replica has everything, and resolves when the sentinels have put the
     * replica in its place. Once.
     */
    async failOver(): Promise<void> {
      const clients = [primary.client(), replica.client()] as const;
      await killCaughtUp({ server: primary, client: clients[0] }, clients[1]);
      await missingIsReplaced();
      for (const client of clients) client.disconnect();
    },
    /** Stops the primary as its operator does (SIGTERM), and resolves like `failOver`. Once. */
    async stopPrimary(): Promise<void> {
      process.kill(primary.pid, 'SIGTERM');
      await waitFor('the primary to end', () => !primary.isRunning());
      await missingIsReplaced();
    },
    /** Lets the sentinels change the primary as an operator does, while both servers run, and waits until all name it. */
    async switchOver(): Promise<void> {
      await sentinels[0]?.client.call('SENTINEL', 'FAILOVER', NAME);
      await replaced();
    },
    /** Stops a sentinel, so that the two others remain. Once. */
    async stopSentinel(): Promise<void> {
      const away = sentinels.pop();
      away?.client.disconnect();
      await away?.program.stop();
    },
    stop,
  };
}
