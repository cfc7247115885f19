import type { QueuedMessage } from '../../job-record/job-inspection.js';
import { DEAD_LETTER_RETENTION_MS, MAX_LOOKED_AT, type DeadLetter } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { RedisConnection } from '../redis/connection.js';
import { identityOf } from '../redis/queue-entry-id.js';
import { entryKey, SETS } from './ledger-keys.js';

/** Entries asked for at once. */
const BATCH = 500;

/** What the ledger says of all messages, for the commands of operators and for metrics. It changes nothing. */
export class SqsLedgerOverview {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  /** The dead letters, oldest first. */
  async deadLetters(): Promise<readonly DeadLetter[]> {
    const since = Date.now() - DEAD_LETTER_RETENTION_MS;
    const ids = await this.#run((client) => client.zrangebyscore(SETS.dead, `${since}`, '+inf', 'WITHSCORES'));
    return this.#each(ids, async (id, message, diedAt) => {
      const [reason, attempts] = await this.#redis.client.hmget(entryKey(id), 'reason', 'attempts');
      // It may have been replayed since its id was read.
      if (typeof reason !== 'string') return undefined;
      return { message, reason, attempts: Number(attempts ?? 0), diedAt };
    });
  }

  /** Every message that is known to be in the queue. */
  async queued(): Promise<readonly QueuedMessage[]> {
    const ids = await this.#run((client) => client.zrange(SETS.queued, 0, '-1', 'WITHSCORES'));
    return this.#each(ids, async (id, job, acceptedAt) => {
      const { client } = this.#redis;
      const [attempts, held, due] = await Promise.all([
        client.hget(entryKey(id), 'attempts'),
        client.zscore(SETS.held, id),
        client.zscore(SETS.delayed, id),
      ]);
      const now = Date.now();
      const state = Number(held ?? 0) > now ? 'in hand' : Number(due ?? 0) > now ? 'delayed' : 'waiting';
      return {
        ...job,
        state,
        acceptedAt,
        attempts: Number(attempts ?? 0),
        ...(state === 'delayed' && { dueAt: Number(due) }),
      };
    });
  }

  /** How many were put off until later, how many dead letters there are, and the messages that were accepted first. */
  async figures(): Promise<{
    readonly delayed: number;
    readonly dead: number;
    readonly oldest: readonly { readonly job: JobIdentity; readonly acceptedAt: number }[];
  }> {
    const now = Date.now();
    const [delayed, dead, ids] = await this.#run((client) =>
      Promise.all([
        client.zcount(SETS.delayed, now, '+inf'),
        client.zcount(SETS.dead, now - DEAD_LETTER_RETENTION_MS, '+inf'),
        client.zrange(SETS.queued, 0, `${MAX_LOOKED_AT - 1}`, 'WITHSCORES'),
      ]),
    );
    const oldest = await this.#each(ids, async (id, job, acceptedAt) => {
      const held = await this.#redis.client.zscore(SETS.held, id);
      return Number(held ?? 0) > now ? undefined : { job, acceptedAt };
    });
    return { delayed, dead, oldest };
  }

  /** Asks for something about each of a list of ids and scores, some hundreds in one round trip. */
  async #each<T>(
    list: readonly string[],
    ask: (id: string, job: JobIdentity, score: number) => Promise<T | undefined>,
  ): Promise<readonly T[]> {
    const found: T[] = [];
    for (let from = 0; from < list.length; from += 2 * BATCH) {
      const batch: Promise<T | undefined>[] = [];
      for (let at = from; at < Math.min(list.length, from + 2 * BATCH); at += 2) {
        const id = list[at] ?? '';
        const job = identityOf(id);
        if (job !== undefined) batch.push(ask(id, job, Number(list[at + 1])));
      }
      const answers = await this.#redis.run(() => Promise.all(batch));
      for (const answer of answers) if (answer !== undefined) found.push(answer);
    }
    return found;
  }

  #run<T>(commands: (client: RedisConnection['client']) => Promise<T>): Promise<T> {
    return this.#redis.run(() => commands(this.#redis.client));
  }
}
