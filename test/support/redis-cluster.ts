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

export interface RedisClusterOptions extends Pick<RedisServerOptions, 'password' | 'tls'> {
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

/** A private Cluster of three primaries, each with a replica. */
export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

/**
 * Starts one on loopback, which takes a few seconds. With TLS, it speaks nothing else, also among the nodes, and the
 * certificate is its own authority.
 */
export async function startRedisCluster({ replicas = true, ...options }: RedisClusterOptions = {}) {
  const { password, tls } = options;
  const count = replicas ? 2 * PRIMARIES : PRIMARIES;
  const ports = await freePorts(2 * count);
  const nodePorts = ports.slice(0, count);
  const servers: RedisServer[] = [];
  const nodes: ClusterNode[] = [];
  const running = (): readonly ClusterNode[] => nodes.filter(({ server }) => server.isRunning());
  const stop = async (): Promise<void> => {
    for (const { client } of nodes) client.disconnect();
    await Promise.all(servers.map((server) => server.stop()));
  };

  async function startNode(port: number, index: number): Promise<void> {
    const args = [
      ...['--cluster-enabled', 'yes'],
      ...['--cluster-port', String(ports[count + index])],
      // Greetings go round sooner.
      ...['--cluster-node-timeout', IMPATIENT_MS],
      ...(tls ? ['--tls-cluster', 'yes'] : []),
    ];
    servers[index] = await startRedis({ ...options, appendOnly: true, replicated: true, port, args });
  }

  async function form(): Promise<void> {
    const started = await Promise.allSettled(nodePorts.map(startNode));
    for (const each of started) if (each.status === 'rejected') throw each.reason as Error; // one of ours
    const create = ['--cluster', 'create', ...nodePorts.map((port) => `127.0.0.1:${port}`)];
    await promisify(execFile)(
      'redis-cli',
      [
        ...(tls ? ['--tls', '--cacert', tls.certFile] : []),
        ...[...create, '--cluster-replicas', replicas ? '1' : '0', '--cluster-yes'],
      ],
      { env: { ...process.env, ...(password !== undefined && { REDISCLI_AUTH: password }) } },
    );
    for (const [index, server] of servers.entries()) {
      const client = server.client();
      const id = String(await client.call('CLUSTER', 'MYID'));
      nodes.push({ server, client, id, port: nodePorts[index] ?? 0 });
    }
    await allServe(nodes);
    await Promise.all(nodes.slice(PRIMARIES).map(({ client }) => followsItsPrimary(client)));
    await waitLongFor(nodes, PATIENT_MS);
  }

  await form().catch(async (error: unknown) => {
    await stop();
    throw error;
  });

  const slotOf = async (key: string): Promise<number> =>
    Number(await running()[0]?.client.call('CLUSTER', 'KEYSLOT', key));

  async function primaryOfSlot(slot: number): Promise<ClusterNode> {
    const [asked] = running();
    const ranges = (await asked?.client.call('CLUSTER', 'SLOTS')) as
      | readonly (readonly [from: number, to: number, primary: readonly [host: string, port: number]])[]
      | undefined; // as Redis answers
    const range = ranges?.find(([from, to]) => from <= slot && slot <= to);
    const node = nodes.find(({ port }) => port === range?.[2][1]);
    if (node === undefined) throw new Error(`No node serves slot ${slot}.`);
    return node;
  }

  return {
    /** For `REDIS_URL`: the three that were primaries at first. */
    url: servers
      .slice(0, PRIMARIES)
      .map(({ url }) => url)
      .join(','),
    nodes: nodes as readonly ClusterNode[],
    /** Returns the node that serves the slot of a key now. */
    primaryOf: async (key: string): Promise<ClusterNode> => primaryOfSlot(await slotOf(key)),
    /**
     * Kills a primary (`kill -9`), of which its replica has everything, and resolves when the replica has taken its place.
     */
    async failOver(primary: ClusterNode): Promise<void> {
      const others = running().filter((node) => node !== primary);
      const infos = await Promise.all(others.map(({ client }) => client.info('replication')));
      const replica = others[infos.findIndex((info) => info.includes(`master_port:${primary.port}\r`))];
      if (replica === undefined) throw new Error('That node has no replica.');
      await killCaughtUp(primary, replica.client);
      await waitLongFor(others, IMPATIENT_MS);
      await waitFor('the replica to take over', async () => isPrimary(replica));
      await allServe(others);
      await waitLongFor(others, PATIENT_MS);
    },
    /**
     * Moves the slot of a key to another primary.
     *
     * @param halfway called when one half of the keys has moved and the other half has not
     */
    async moveSlotOf(key: string, halfway: () => unknown): Promise<void> {
      const slot = await slotOf(key);
      const source = await primaryOfSlot(slot);
      const roles = await Promise.all(running().map(isPrimary));
      const primaries = running().filter((_, index) => roles[index]);
      const target = primaries[(primaries.indexOf(source) + 1) % primaries.length];
      if (target === undefined) throw new Error('There is no other primary.');
      await target.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source.id);
      await source.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id);
      const left = async (): Promise<number> => Number(await source.client.call('CLUSTER', 'COUNTKEYSINSLOT', slot));
      const move = async (count: number): Promise<void> => {
        const keys: unknown = await source.client.call('CLUSTER', 'GETKEYSINSLOT', slot, count);
        const names = Array.isArray(keys) ? keys.map(String) : [];
        const login = password === undefined ? [] : ['AUTH', password];
        if (names.length === 0) return;
        await source.client.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, ...login, 'KEYS', ...names);
      };
      await move(Math.ceil((await left()) / 2));
      await halfway();
      await waitFor('the slot to be empty', async () => {
        await move(100);
        return (await left()) === 0;
      });
      // The new owner first: between the two it is the one that is asked.
      for (const { client } of [target, source, ...primaries.filter((node) => node !== target && node !== source)]) {
        await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', target.id);
      }
    },
    /** Resolves when a command has been refused, from now on, because the keys it needs lie on two servers. */
    async refusesCommands(): Promise<void> {
      const refused = async (): Promise<number> => {
        const counts = await Promise.all(running().map(({ client }) => client.info('errorstats')));
        return counts.reduce((sum, text) => sum + Number(/errorstat_TRYAGAIN:count=(\d+)/.exec(text)?.[1] ?? 0), 0);
      };
      const before = await refused();
      await waitFor('a command to be refused', async () => (await refused()) > before);
    },
    stop,
  };
}

async function isPrimary({ client }: ClusterNode): Promise<boolean> {
  return (await client.info('replication')).includes('role:master');
}

async function allServe(nodes: readonly ClusterNode[]): Promise<void> {
  await waitFor('all nodes to serve', async () => {
    const states = await Promise.all(nodes.map(({ client }) => client.call('CLUSTER', 'INFO')));
    return states.every(
      (state) => /cluster_state:ok/.test(String(state)) && String(state).includes(`slots_ok:${SLOTS}`),
    );
  });
}

/** How long nodes wait for one that does not answer before they fail it over. */
async function waitLongFor(nodes: readonly ClusterNode[], ms: string): Promise<void> {
  await Promise.all(nodes.map(({ client }) => client.config('SET', 'cluster-node-timeout', ms)));
}
