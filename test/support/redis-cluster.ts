import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { freePorts } from './child-program.js';
import {
  followsItsPrimary,
  killCaughtUp,
  startRedis,
  type RedisServer,
  type RedisServerOptions,
} from './redis-server.js';
import { waitFor } from './wait-for.js';

export interface RedisClusterOptions extends Pick<RedisServerOptions, 'password'> {
  /** Serves TLS, and nothing else, also among the nodes; the certificate is its own authority. */
  readonly tls?: RedisServerOptions['tls'];
  /** One for each primary; true by default. */
  readonly replicas?: boolean;
}

/** A node of a Cluster, with a client of its own that follows nothing. */
export interface ClusterNode {
  readonly server: RedisServer;
  readonly client: Redis;
  readonly id: string;
  readonly port: number;
}

const PRIMARIES = 3;
const SLOTS = 16_384;
/** A node may not answer for so long on a busy machine; only what a test kills is to be failed over. */
const PATIENT_MS = '60000';
const IMPATIENT_MS = '1000';

/** Starts one on loopback, which takes a few seconds. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const count = options.replicas === false ? PRIMARIES : 2 * PRIMARIES;
  const ports = await freePorts(2 * count);
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startNode(ports[2 * index] ?? 0, ports[2 * index + 1] ?? 0, options).catch((error: unknown) => error),
    ),
  );
  const started = servers.filter((server): server is RedisServer => !(server instanceof Error));
  const cluster = new RedisCluster(started, ports, options);
  const failed = servers.find((server) => server instanceof Error);
  try {
    if (failed !== undefined) throw failed;
    await cluster.form();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

function startNode(port: number, busPort: number, { password, tls }: RedisClusterOptions): Promise<RedisServer> {
  return startRedis({
    appendOnly: true,
    replicated: true,
    port,
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    args: [
      ...['--cluster-enabled', 'yes'],
      ...['--cluster-port', String(busPort)],
      // Greetings go round sooner.
      ...['--cluster-node-timeout', IMPATIENT_MS],
      ...(tls ? ['--tls-cluster', 'yes'] : []),
    ],
  });
}

/** A private Cluster of three primaries, each with a replica. */
export class RedisCluster {
  /** For `REDIS_URL`: the three that were primaries at first. */
  readonly url: string;
  readonly nodes: ClusterNode[] = [];
  readonly #servers: readonly RedisServer[];
  readonly #ports: readonly number[];
  readonly #password: string | undefined;
  readonly #tls: RedisClusterOptions['tls'];

  constructor(servers: readonly RedisServer[], ports: readonly number[], { password, tls }: RedisClusterOptions) {
    this.#servers = servers;
    this.#ports = ports;
    this.#password = password;
    this.#tls = tls;
    this.url = servers
      .slice(0, PRIMARIES)
      .map(({ url }) => url)
      .join(',');
  }

  async form(): Promise<void> {
    const addresses = this.#ports.flatMap((port, at) => (at % 2 === 0 ? [`127.0.0.1:${port}`] : []));
    const [count, tls] = [addresses.length / PRIMARIES - 1, this.#tls];
    await promisify(execFile)(
      'redis-cli',
      [
        ...(tls ? ['--tls', '--cacert', tls.certFile] : []),
        ...['--cluster', 'create', ...addresses, '--cluster-replicas', String(count), '--cluster-yes'],
      ],
      { env: { ...process.env, ...(this.#password !== undefined && { REDISCLI_AUTH: this.#password }) } },
    );
    for (const [index, server] of this.#servers.entries()) {
      const client = server.client();
      const id = String(await client.call('CLUSTER', 'MYID'));
      this.nodes.push({ server, client, id, port: this.#ports[2 * index] ?? 0 });
    }
    await this.#everyNode('to serve', async ({ client }) => {
      const state = String(await client.call('CLUSTER', 'INFO'));
      return state.includes('cluster_state:ok') && state.includes(`cluster_slots_ok:${SLOTS}`);
    });
    await Promise.all(this.nodes.slice(PRIMARIES).map(({ client }) => followsItsPrimary(client)));
    await waitLongFor(this.nodes, PATIENT_MS);
  }

  /** The node that serves the slot of a key now. */
  async primaryOf(key: string): Promise<ClusterNode> {
    return this.#primaryOfSlot(await this.#slotOf(key));
  }

  /**
   * Kills a primary (`kill -9`), of which its replica has everything, and resolves when the replica has taken its place.
   */
  async failOver(primary: ClusterNode): Promise<void> {
    const others = this.#running().filter((node) => node !== primary);
    const isReplica = async ({ client }: ClusterNode): Promise<boolean> =>
      (await client.info('replication')).includes(`master_port:${primary.port}\r`);
    const replicas = await Promise.all(others.map(isReplica));
    const replica = others[replicas.indexOf(true)];
    if (replica === undefined) throw new Error('That node has no replica.');
    await killCaughtUp(primary, replica.client);
    await waitLongFor(others, IMPATIENT_MS);
    await waitFor('the replica to take over', async () =>
      (await replica.client.info('replication')).includes('role:master'),
    );
    await waitFor('all to serve', async () => {
      const states = await Promise.all(others.map(({ client }) => client.call('CLUSTER', 'INFO')));
      return states.every((state) => String(state).includes('cluster_state:ok'));
    });
    await waitLongFor(others, PATIENT_MS);
  }

  /**
   * Moves the slot of a key to another primary.
   *
   * @param halfway called when one half of the keys has moved and the other half has not
   */
  async moveSlotOf(key: string, halfway: () => unknown): Promise<void> {
    const slot = await this.#slotOf(key);
    const source = await this.#primaryOfSlot(slot);
    const primaries = await this.#primaries();
    const target = primaries[(primaries.indexOf(source) + 1) % primaries.length];
    if (target === undefined) throw new Error('There is no other primary.');
    await target.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source.id);
    await source.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id);
    const keysIn = async (count: number): Promise<unknown> =>
      source.client.call('CLUSTER', 'GETKEYSINSLOT', slot, count);
    const move = async (keys: unknown): Promise<void> => {
      const login = this.#password === undefined ? [] : ['AUTH', this.#password];
      const names = Array.isArray(keys) ? keys.map(String) : [];
      if (names.length === 0) return;
      await source.client.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, ...login, 'KEYS', ...names);
    };
    const count = Number(await source.client.call('CLUSTER', 'COUNTKEYSINSLOT', slot));
    await move(await keysIn(Math.ceil(count / 2)));
    await halfway();
    await waitFor('the slot to be empty', async () => {
      await move(await keysIn(100));
      return (await source.client.call('CLUSTER', 'COUNTKEYSINSLOT', slot)) === 0;
    });
    // The new owner first: between the two it is the one that is asked.
    for (const { client } of [target, source, ...primaries.filter((node) => node !== target && node !== source)]) {
      await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', target.id);
    }
  }

  /** Resolves when a command has been refused, from now on, because the keys it needs lie on two servers. */
  async refusesCommands(): Promise<void> {
    const refused = async (): Promise<number> => {
      const counts = await Promise.all(this.#running().map(({ client }) => client.info('errorstats')));
      return counts.reduce((sum, text) => sum + Number(/errorstat_TRYAGAIN:count=(\d+)/.exec(text)?.[1] ?? 0), 0);
    };
    const before = await refused();
    await waitFor('a command to be refused', async () => (await refused()) > before);
  }

  async stop(): Promise<void> {
    for (const { client } of this.nodes) client.disconnect();
    await Promise.all(this.#servers.map((server) => server.stop()));
  }

  #running(): readonly ClusterNode[] {
    return this.nodes.filter(({ server }) => server.isRunning());
  }

  async #primaries(): Promise<readonly ClusterNode[]> {
    const running = this.#running();
    const roles = await Promise.all(running.map(({ client }) => client.info('replication')));
    return running.filter((_, index) => roles[index]?.includes('role:master'));
  }

  async #slotOf(key: string): Promise<number> {
    return Number(await this.#running()[0]?.client.call('CLUSTER', 'KEYSLOT', key));
  }

  async #primaryOfSlot(slot: number): Promise<ClusterNode> {
    const [asked] = this.#running();
    if (asked === undefined) throw new Error('No node runs.');
    const range = (await slotsOf(asked.client)).find(({ from, to }) => from <= slot && slot <= to);
    const node = this.nodes.find(({ port }) => port === range?.ports[0]);
    if (node === undefined) throw new Error(`No node serves slot ${slot}.`);
    return node;
  }

  async #everyNode(what: string, holds: (node: ClusterNode) => Promise<boolean>): Promise<void> {
    await Promise.all(this.nodes.map((node) => waitFor(`a node ${what}`, () => holds(node))));
  }
}

/** How long nodes wait for one that does not answer before they fail it over. */
async function waitLongFor(nodes: readonly ClusterNode[], ms: string): Promise<void> {
  await Promise.all(nodes.map(({ client }) => client.config('SET', 'cluster-node-timeout', ms)));
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
  /** The port of the primary, then those of its replicas. */
  readonly ports: readonly number[];
}

async function slotsOf(client: Redis): Promise<readonly SlotRange[]> {
  const ranges: unknown = await client.call('CLUSTER', 'SLOTS');
  if (!Array.isArray(ranges)) throw new Error('CLUSTER SLOTS answers with a list.');
  return ranges.map((range: readonly [number, number, ...(readonly [string, number])[]]) => {
    const [from, to, ...nodes] = range;
    return { from, to, ports: nodes.map(([, port]) => port) };
  });
}
