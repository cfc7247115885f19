import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { ConfigError } from '../../../base/config/config.js';
import { describeError, ServiceUnavailableError } from '../../../base/errors.js';
import type { JobInspection } from '../../record/job-queue.js';
import { encodeKeyPart, parseJobRecordKey, type JobIdentity, jobRecordKey } from '../../record/job-record.js';
import type { ReplayMemory } from '../../record/callback-signature.js';
import { NO_LIMITS, type OrganisationLimits } from '../../record/organisation-jobs.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { StoreProbe } from '../../../objects/store-probe.js';
import { repeat } from '../../../base/waits.js';
import type { JobEngine } from '../job-engine.js';
import { redisCounters, redisTexts } from './attempt-counter.js';
import { createBullMqQueue } from './bullmq-queue.js';
import { checkRedis, lossesOf, memoryOf, redisProbes } from './check.js';
import { RedisConnection } from './connection.js';
import { formerJobs, MARK_EVERY_MS, MarkCheck } from './mark.js';
import { RedisJobStore } from './job-store.js';
import { SWEEP_EVERY_MS, type SharedQueue, type SweepOptions } from './recorded-jobs.js';

export interface RedisEngineOptions {
  readonly url: string;
  readonly logger: Logger;
  readonly maxAttempts: number;
  /** Maximum run time of a job, in milliseconds. An unfinished job that is older and not in the queue is an orphan. */
  readonly deadlineMs: number;
  readonly limits?: OrganisationLimits;
  readonly openQueue?: OpenQueue;
}

/** Opens a queue with its records in a Redis store. */
export type OpenQueue = (parts: {
  readonly redis: RedisConnection;
  readonly store: RedisJobStore;
  readonly maxAttempts: number;
}) => OpenedQueue;

/** Queue, and probe and faults of its servers other than Redis. */
interface OpenedQueue {
  readonly queue: SharedQueue;
  readonly probe?: StoreProbe;
  readonly check?: () => Promise<readonly string[]>;
}

/** Maximum wait for commands in progress at the end, in milliseconds, in case Redis hangs. */
const STOP_MS = 1_000;

export function openRedisEngine({
  url,
  logger,
  maxAttempts,
  deadlineMs,
  limits = NO_LIMITS,
  openQueue = ({ redis, store }) => ({ queue: createBullMqQueue({ redis, store, logger, delivery: { maxAttempts } }) }),
}: RedisEngineOptions): JobEngine {
  const redis = new RedisConnection({ url, logger });
  const jobStore = new RedisJobStore({ redis, limits });
  const { queue, probe, check } = openQueue({ redis, store: jobStore, maxAttempts });
  const probes = redisProbes(redis);
  const mark = new MarkCheck(redis, logger);
  const acknowledged = new AcknowledgedJobs(redis, logger);
  let repeated: readonly ReturnType<typeof repeat>[] = [];
  return {
    jobStore,
    queue,
    submission: {
      async submit(message) {
        const submitted = await queue.submit(message);
        acknowledged.note(message);
        return submitted;
      },
      submitAgain: (message) => queue.submitAgain(message),
    },
    organisations: jobStore.organisations,
    inspection: {
      find: (...of) => redis.run(() => findRecords(redis.primaries(), ...of)),
      queued: () => queue.queued(),
    },
    embedded: false,
    probes: { ...probes, ...(probe && { queue: probe }) },
    counters: redisCounters(redis),
    texts: redisTexts(redis),
    replayMemory: createRedisReplayMemory(redis),
    async ready(isExpected = Promise.resolve(false)) {
      // A command is never made ready: it has no log, so that a loss which it finds would stay untold.
      repeated = [
        repeat(() => mark.look(), { everyMs: MARK_EVERY_MS, maxMs: STOP_MS }),
        repeat((stopping) => sweepOrphans(queue, { olderThanMs: deadlineMs, stopping }, logger), {
          everyMs: SWEEP_EVERY_MS,
          maxMs: STOP_MS,
        }),
      ];
      const former = async (): Promise<readonly string[]> => redis.ready().then(() => formerJobs(redis));
      const faults = await former().catch((error: unknown) => {
        if (error instanceof ConfigError) throw error;
        return [];
      });
      if (faults.length > 0) throw new ConfigError(faults);
      // From now on, a loss is seen.
      void isExpected.then((isUsed) => mark.look(isUsed));
      redis.client.on('ready', () => void acknowledged.look());
      redis.followPrimary();
    },
    memory: () => memoryOf(redis),
    mark: () => mark.seen,
    check: async () => [...(await checkRedis(redis, () => formerJobs(redis))), ...((await check?.()) ?? [])],
    losses: () => lossesOf(redis),
    async close() {
      await Promise.all(repeated.map((each) => each.close()));
      await queue.close();
      await redis.close();
    },
  };
}

/** Ends orphans, as every program does; a command does not. */
async function sweepOrphans(queue: SharedQueue, options: SweepOptions, logger: Logger): Promise<void> {
  try {
    const ended = await queue.sweepOrphans(options);
    if (ended > 0) logger.event('queue.orphans_ended', { ended });
  } catch (error) {
    // The connection has logged an unreachable Redis.
    if (error instanceof ServiceUnavailableError || options.stopping?.aborted) return;
    logger.event('queue.sweep_failed', { reason: describeError(error) });
  }
}

/** Creates a memory in Redis; its entries expire by themselves. */
export function createRedisReplayMemory(redis: Pick<RedisConnection, 'client' | 'run'>): ReplayMemory {
  return {
    async remember(id, forMs) {
      const remembered = redis.run(() => redis.client.set(`callbacks:${id}`, '', 'PX', forMs, 'NX'), 'writing');
      return (await remembered) === 'OK';
    },
  };
}

/** Number of keys scanned in one step, which blocks Redis for well below a millisecond. */
const STEP = 1_000;

/** Returns the jobs of every kind and organisation that have a record with this id, or with any. It scans keys. */
export async function findRecords(
  primaries: readonly Redis[],
  ...[jobId, enough = Infinity]: Parameters<JobInspection['find']>
): Promise<readonly JobIdentity[]> {
  const match = `job:{*:${jobId === undefined ? '*' : encodeKeyPart(jobId).replaceAll(/[*?[\]\\]/g, '\\$&')}}`;
  // A scan may return a key twice, and so may two servers while its slot moves.
  const keys = new Set<string>();
  await Promise.all(
    primaries.map(async (primary) => {
      const steps: AsyncIterable<readonly string[]> = primary.scanStream({ match, count: STEP });
      for await (const found of steps) {
        found.forEach((key) => keys.add(key));
        if (keys.size >= enough) break;
      }
    }),
  );
  return [...keys].flatMap((key) => parseJobRecordKey(key) ?? []).filter((job) => job.jobId === (jobId ?? job.jobId));
}

/** Time for which a job is remembered, in milliseconds: sentinels leave a former primary writable for ten seconds. */
const REMEMBERED_MS = 15_000;

/** Limit of remembered jobs; beyond it, the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;

/** Limit of job ids in one line of the log. */
const MAX_NAMED = 20;

/** Jobs that this process has acknowledged within the last seconds. After each reconnection, they are looked for. */
class AcknowledgedJobs {
  readonly #redis: RedisConnection;
  readonly #logger: Logger;
  /** Ids of jobs by the key of their record. */
  readonly #jobs = new LRUCache<string, string>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
    ttl: REMEMBERED_MS,
  });

  constructor(redis: RedisConnection, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  note(job: JobIdentity): void {
    this.#jobs.set(jobRecordKey(job), job.jobId);
  }

  /** Logs the jobs that a new primary, or one that restarted, does not have. Never rejects. */
  async look(): Promise<void> {
    const keys = [...this.#jobs.rkeys()];
    if (keys.length === 0) return;
    const { client } = this.#redis;
    try {
      const found = await this.#redis.run(() => Promise.all(keys.map((key) => client.exists(key))));
      const missing = keys.filter((_, index) => found[index] === 0);
      if (missing.length === 0) return;
      const jobIds = missing.slice(0, MAX_NAMED).flatMap((key) => this.#jobs.peek(key) ?? []);
      for (const key of missing) this.#jobs.delete(key);
      this.#logger.event('store.forgot', { missing: missing.length, jobIds });
    } catch (error) {
      // The connection has logged it, and the next reconnection looks again.
      if (!(error instanceof ServiceUnavailableError)) this.#logger.event('store.mark_unknown', { err: error });
    }
  }
}
