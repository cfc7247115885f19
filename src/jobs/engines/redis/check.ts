import { Cluster, type Redis } from 'ioredis';
import { hasCode } from '../../../base/errors.js';
import type { StoreProbe } from '../../../objects/store-probe.js';
import { faultsOf, type Findings, type StorageUse } from '../job-engine.js';
import { sharedAnswer } from '../../../base/waits.js';
import type { RedisConnection } from './connection.js';
import { slotsLost } from './redis-faults.js';
import { listIn } from './script.js';

/** Keys that the probes write, in a slot of records and in that of the queue. Each expires a moment later. */
const RECORD_PROBE_KEY = 'job:{check}';
const QUEUE_PROBE_KEY = '{gateway}:check';
const MIN_VERSION = 7;

/**
 * Checks at start-up that Redis can be used.
 *
 * @param ofJobs further check
 * @returns one line per fault, with the remedy
 */
export async function checkRedis(
  redis: RedisConnection,
  ofJobs?: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    await redis.ready();
    const ofServers = await askPrimaries(redis, serverFaults);
    const { jobStore, queue } = redisProbes(redis);
    await Promise.all([jobStore.ping(), queue.ping(), jobStore.write(), queue.write()]);
    // A fault that several servers of a Cluster share is reported once.
    return [...new Set([...ofServers.flat(), ...((await ofJobs?.()) ?? [])])];
  } catch (error) {
    return faultsOf(error);
  }
}

/** Creates the probes of records and of the queue. Records are on every server of a Cluster. */
export function redisProbes(redis: RedisConnection): { readonly jobStore: StoreProbe; readonly queue: StoreProbe } {
  const jobStore = probeOf(redis, RECORD_PROBE_KEY, () => everySlotServes(redis));
  return { jobStore, queue: probeOf(redis, QUEUE_PROBE_KEY) };
}

function probeOf(redis: RedisConnection, key: string, other?: () => Promise<void>): StoreProbe {
  return {
    ping: async () => {
      await redis.run(() => Promise.all([redis.client.exists(key), other?.()]));
    },
    write: async () => {
      await redis.run(() => redis.client.set(key, '', 'PX', 1), 'writing');
    },
    isInDoubt: () => redis.isInDoubt(),
  };
}

/** Checks all slots of a Cluster, which may be configured to serve although slots are lost. */
async function everySlotServes({ client }: RedisConnection): Promise<void> {
  if (!(client instanceof Cluster)) return;
  const state = parseInfo(await client.cluster('INFO'));
  if (state.get('cluster_slots_fail') !== '0') throw slotsLost();
}

/** Reads the memory use of the fullest server, of `maxmemory` or else of its machine; undefined if none is reported. */
export async function memoryOf(redis: RedisConnection): Promise<StorageUse | undefined> {
  const uses = await askPrimaries(redis, async (server) => {
    const found = parseInfo(await server.info('memory'));
    const of = (name: string): number => Number(found.get(name) ?? 0);
    return { used: of('used_memory'), limit: of('maxmemory') || of('total_system_memory') };
  });
  const [fullest] = uses.toSorted((one, other) => other.used / other.limit - one.used / one.limit);
  return fullest && fullest.limit > 0 ? fullest : undefined;
}

/** Time for which `maxmemory` is known, in milliseconds. */
const MAX_MEMORY_MS = 60_000;

/** Returns a function that reads the least `maxmemory` of the servers, in bytes; infinite if none is known. */
export function maxMemoryReader(redis: RedisConnection): () => Promise<number> {
  const shared = sharedAnswer<number>(MAX_MEMORY_MS);
  const limitOf = async (server: Redis): Promise<number> =>
    Number(parseInfo(await server.info('memory')).get('maxmemory') ?? 0) || Infinity;
  const read = async (): Promise<number> => Math.min(...(await askPrimaries(redis, limitOf)));
  return () => shared(() => read().catch(() => Infinity));
}

function askPrimaries<T>(redis: RedisConnection, ask: (server: Redis) => Promise<T>): Promise<readonly T[]> {
  return redis.run(() => Promise.all(redis.primaries().map(ask)));
}

async function serverFaults(server: Redis): Promise<readonly string[]> {
  const settings = parseInfo(await server.info());
  const version = settings.get('redis_version') ?? '';
  const isOld = Number.parseInt(version, 10) < MIN_VERSION;
  const old = isOld ? [`Redis ${MIN_VERSION} or newer is needed, and this is ${version}.`] : [];
  return [...policyFaults(settings), ...old];
}

function policyFaults(settings: ReadonlyMap<string, string>): readonly string[] {
  const policy = settings.get('maxmemory_policy') ?? 'noeviction';
  if (policy === 'noeviction') return [];
  return [`Redis may throw jobs away. Set maxmemory-policy to noeviction; it is ${policy}.`];
}

/**
 * Returns settings with which the servers may lose acknowledged jobs, in one line with the remedy. A server may refuse
 * to tell its settings.
 */
export async function mayForget(redis: RedisConnection): Promise<string> {
  const found = await askPrimaries(redis, (server) => server.info().catch(unlessRefused).then(String).then(parseInfo));
  const faults = found.flatMap((settings) => [
    ...policyFaults(settings),
    ...(settings.get('aof_enabled') === '0' ? [APPEND_ONLY] : []),
  ]);
  return [...new Set(faults)].join(' ');
}

/**
 * Finds settings with which a restart of a server loses acknowledged jobs. A server may refuse to say how often it
 * writes to the disk (`CONFIG GET`).
 */
export async function lossesOf(redis: RedisConnection): Promise<Findings> {
  const found = await askPrimaries(redis, async (server): Promise<Findings> => {
    const persistence = parseInfo(await server.info('persistence'));
    if (persistence.get('aof_enabled') === '0') return { faults: [APPEND_ONLY], doubts: [] };
    const [, often = 'always'] = await server.config('GET', 'appendfsync').then(listIn, unlessRefused);
    return { faults: [], doubts: often === 'always' ? [] : [`${APPEND_FSYNC} it is ${String(often)}.`] };
  });
  const linesOf = (kind: keyof Findings): string[] => [...new Set(found.flatMap((each) => each[kind]))];
  return { faults: linesOf('faults'), doubts: linesOf('doubts') };
}

/** Returns nothing for a command that the server refuses. @throws any other error */
function unlessRefused(error: unknown): readonly unknown[] {
  if (hasCode(error, 'ReplyError')) return [];
  throw error;
}

const APPEND_ONLY =
  'Redis (REDIS_URL) loses acknowledged jobs when it restarts. Set its appendonly to yes, and appendfsync to always; ' +
  'appendonly is no.';

const APPEND_FSYNC =
  'Redis (REDIS_URL) may lose the jobs of the last seconds when it restarts. Set its appendfsync to always;';

/** Parses lines of `name:value`, as the command INFO returns them. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^([^:\r\n]+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]));
}
