import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { accepts, freePorts, startProgram, type ChildProgram } from './child-program.js';
import { succeeds, waitFor } from './wait-for.js';

/** For commands of a server that answers: never met, however busy the machine is. */
export const LONG_TIMEOUT_MS = 30_000;

export interface RedisServerOptions {
  /** Syncs every write to disk before acknowledging it, so that nothing is lost on a restart. */
  readonly appendOnly?: boolean;
  /** Port on the loopback address; a free one by default. */
  readonly port?: number;
  readonly password?: string;
  /** Rights of the user in the URL, as Redis writes them; all by default. */
  readonly rights?: readonly string[];
  /** A file that a Redis saved (`BGSAVE`), which this one restores as `deploy/backup.md` says. */
  readonly snapshot?: string;
  /** One node that holds every slot of a Cluster and refuses commands over keys of several slots. */
  readonly cluster?: boolean;
  /** Serves TLS, and nothing else, with this key pair (files). */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** One of several that copy from one another: it knows their password, which is its own, and trusts their certificate. */
  readonly replicated?: boolean;
  /** Further settings, as on the command line. */
  readonly args?: readonly string[];
}

/** Name and password of the user with the given rights. */
const USER = 'gateway';

/** Starts a private `redis-server` (Debian package `redis-server`) and waits until it answers. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gateway-redis-'));
  const [freePort = 0, busPort] = await freePorts(2);
  const { port = freePort } = options;
  // A node would take the port of its clients and 10,000 for the other nodes, whether or not that is free, or one.
  const cluster = options.cluster === true ? ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)] : [];
  const server = new RedisServer(directory, port, { ...options, args: [...cluster, ...(options.args ?? [])] });
  try {
    if (options.snapshot === undefined) await server.start();
    else await server.restore(options.snapshot);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** A private Redis server of one test file. */
export class RedisServer {
  #program: ChildProgram | undefined;
  readonly #socket: string;
  readonly #directory: string;
  readonly #port: number;
  readonly #settings: RedisServerOptions;

  constructor(directory: string, port: number, settings: RedisServerOptions) {
    this.#directory = directory;
    this.#port = port;
    this.#settings = settings;
    this.#socket = path.join(directory, 'r.sock');
  }

  /** For `REDIS_URL`. */
  get url(): string {
    const { password, tls, rights } = this.#settings;
    const own = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
    const login = rights === undefined ? own : `${USER}:${USER}@`;
    return `${tls === undefined ? 'redis' : 'rediss'}://${login}127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    if (this.#program === undefined) throw new Error('The Redis server does not run.');
    return this.#program.pid;
  }

  /** Over the unix socket, which is there whatever else is configured. */
  client(): Redis {
    const { password } = this.#settings;
    const client = new Redis({ path: this.#socket, ...(password !== undefined && { password }) });
    // It comes back with the server; until then commands wait.
    client.on('error', () => undefined);
    return client;
  }

  /** Sends a command as an administrator would. @returns the reply */
  async call(...command: readonly [string, ...string[]]): Promise<unknown> {
    const client = this.client();
    try {
      return await client.call(...command);
    } finally {
      client.disconnect();
    }
  }

  /** Starts on a snapshot. With `appendonly yes` from the start, the server would ignore it and be empty. */
  async restore(snapshot: string): Promise<void> {
    await copyFile(snapshot, path.join(this.#directory, 'dump.rdb'));
    await this.start('--appendonly', 'no');
    if (this.#settings.appendOnly !== true) return;
    await this.call('CONFIG', 'SET', 'appendonly', 'yes');
    await waitFor('the append-only file to be written', async () => {
      const info = String(await this.call('INFO', 'persistence'));
      return /aof_rewrite_in_progress:0\r/.test(info) && /aof_rewrite_scheduled:0\r/.test(info);
    });
    await this.#program?.stop();
    await this.start();
  }

  /** @param args settings that stand above those of the server */
  async start(...args: readonly string[]): Promise<void> {
    this.#program = await startProgram('redis-server', {
      args: [...this.#commandLine(), ...args],
      logFile: path.join(this.#directory, 'redis.log'),
    });
    await waitFor('Redis to answer', async () => {
      if (this.#program?.isRunning() === false) throw new Error(`Redis ended: ${await this.#program.output()}`);
      return accepts(this.#socket);
    });
    await this.#configure();
  }

  async stop(): Promise<void> {
    await this.#program?.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  isRunning(): boolean {
    return this.#program?.isRunning() === true;
  }

  /** Kills the server at once (`kill -9`) and leaves its files. */
  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  /** Starts the server again after a kill; kills it first if it runs. @param meanwhile happens to its files */
  async restart(meanwhile?: () => Promise<void>): Promise<void> {
    await this.kill();
    await meanwhile?.();
    await this.start();
  }

  /** Freezes the process: connections stay open and nothing answers. */
  pause(): void {
    this.#program?.signal('SIGSTOP');
  }

  resume(): void {
    this.#program?.signal('SIGCONT');
  }

  /** Undoes pauses, kills and lost mastership that a failed test may have left. */
  async recover(): Promise<void> {
    this.resume();
    if (!this.isRunning()) await this.restart();
    await this.call('REPLICAOF', 'NO', 'ONE');
  }

  #commandLine(): string[] {
    const { appendOnly = false, replicated = false, password, rights, tls, args = [] } = this.#settings;
    const port = String(this.#port);
    const settings = {
      bind: '127.0.0.1',
      unixsocket: this.#socket,
      unixsocketperm: '700',
      dir: this.#directory,
      save: '',
      appendonly: appendOnly ? 'yes' : 'no',
      appendfsync: 'always',
      ...(password !== undefined && { requirepass: password }),
      ...(tls === undefined
        ? { port }
        : {
            port: '0',
            'tls-port': port,
            'tls-auth-clients': 'no',
            'tls-cert-file': tls.certFile,
            'tls-key-file': tls.keyFile,
          }),
      ...(replicated && {
        'repl-diskless-sync-delay': '0',
        ...(password !== undefined && { masterauth: password }),
        ...(tls && { 'tls-replication': 'yes', 'tls-ca-cert-file': tls.certFile }),
      }),
    };
    const user = rights === undefined ? [] : ['--user', USER, 'on', `>${USER}`, ...rights];
    return [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]), ...user, ...args];
  }

  async #configure(): Promise<void> {
    await waitFor('Redis to load its data', () => succeeds(this.call('PING')));
    if (this.#settings.cluster !== true) return;
    const state = async (): Promise<string> => String(await this.call('CLUSTER', 'INFO'));
    // A restarted node remembers its slots.
    if ((await state()).includes('cluster_slots_assigned:0\r'))
      await this.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await waitFor('the Cluster to serve', async () => (await state()).includes('cluster_state:ok'));
  }
}

/** Resolves when a replica has a connection to its primary. */
export async function followsItsPrimary(replica: Redis): Promise<void> {
  await waitFor('a replica to follow', async () =>
    (await replica.info('replication')).includes('master_link_status:up'),
  );
}

/** Kills a primary (`kill -9`) that has acknowledged nothing which its replica does not have. */
export async function killCaughtUp(
  primary: { readonly server: RedisServer; readonly client: Redis },
  replica: Redis,
): Promise<void> {
  // Writes wait from here on, and are never acknowledged.
  await primary.client.call('CLIENT', 'PAUSE', 60_000, 'WRITE');
  const offsetOf = async (client: Redis): Promise<string | undefined> =>
    /\r\nmaster_repl_offset:(\d+)/.exec(await client.info('replication'))?.[1];
  await waitFor('the replica to catch up', async () => (await offsetOf(primary.client)) === (await offsetOf(replica)));
  await primary.server.kill();
}
