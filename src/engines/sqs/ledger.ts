import { DEAD_LETTER_RETENTION_MS } from '../../job-record/job-queue.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { RedisConnection } from '../redis/connection.js';
import { queueEntryId } from '../redis/queue-entry-id.js';
import { defineLedgerCommands } from './ledger-commands.js';
import { entryKey, SETS } from './ledger-keys.js';

/** Longest time that sending a message may take; then somebody else may try. */
const SENDING_MS = 60_000;

/** How long a message that is of no use any more is known again: SQS may deliver one twice, as a rule at once. */
const DONE_MS = 10 * 60 * 1000;

/** Longer than SQS keeps any message, which is 14 days. */
const ENTRY_MS = 30 * 24 * 60 * 60 * 1000;

/** What a message is to whoever received it. */
export type Taken =
  | { readonly kind: 'taken'; readonly attempt: number }
  /** Somebody else has it, or its time has not come. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** A newer one was sent, or its job was handled. */
  | { readonly kind: 'stale' }
  /** It became a dead letter and was not deleted. */
  | { readonly kind: 'dead' };

/** A message as it is taken. */
export interface TakenMessage {
  readonly job: JobIdentity;
  readonly generation: number;
  readonly attempts: number;
  readonly acceptedAt: number;
  readonly movedBack: boolean;
  readonly holder: string;
  readonly leaseMs: number;
}

/** What is known of a job's message. */
export interface Standing {
  readonly generation: number;
  readonly fate: 'queued' | 'in hand' | 'dead' | 'done';
  /** When it was last sent, taken or put off, milliseconds since 1970. */
  readonly seenAt: number;
}

/**
 * What SQS cannot be asked for, in Redis: which messages there are, whose hand they are in, how many attempts they have
 * used up and which of them are dead letters. SQS keeps the messages and says when they are delivered. Here is what
 * changes the entry of a job and what is asked of it before; `ledger-overview.ts` looks at all of them.
 */
export class SqsLedger {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
    defineLedgerCommands(redis.client);
  }

  /**
   * Lets one of all who want to send a message of a job do so; it says with {@link sent} or {@link notSent} how that
   * ended.
   *
   * @param onlyDead whether only a dead letter is to be sent
   * @returns the generation of the message, and the dead letter it replaces; undefined when there is nothing to send
   */
  async beginSending(
    job: JobIdentity,
    onlyDead: boolean,
  ): Promise<{ readonly generation: number; readonly dead: string } | undefined> {
    const reply = await this.#run((client) => client.sqsBeginSending(...target(job), SENDING_MS, onlyDead ? 1 : 0));
    const [generation, dead] = listOf(reply);
    return generation === 0 ? undefined : { generation: Number(generation), dead: String(dead) };
  }

  async sent(job: JobIdentity, generation: number, acceptedAt: number): Promise<void> {
    await this.#run((client) => client.sqsSent(...target(job), generation, acceptedAt, ENTRY_MS));
  }

  /** What is on its way nevertheless is dropped when it comes, unless it is a dead letter that was sent again. */
  async notSent(job: JobIdentity, generation: number): Promise<void> {
    await this.#run((client) => client.sqsNotSent(...target(job), generation, DONE_MS));
  }

  /** Takes a message into the hand of a consumer, for a lease. */
  async take({ job, generation, attempts, acceptedAt, movedBack, leaseMs, holder }: TakenMessage): Promise<Taken> {
    const [kind, detail] = listOf(
      await this.#run((client) =>
        client.sqsTake(...target(job), generation, attempts, acceptedAt, movedBack ? 1 : 0, leaseMs, holder, ENTRY_MS),
      ),
    );
    if (kind === 'taken') {
      this.#redis.written();
      return { kind, attempt: Number(detail) };
    }
    if (kind === 'held' || kind === 'early') return { kind: 'wait', ms: Number(detail) };
    return { kind: kind === 'dead' ? 'dead' : 'stale' };
  }

  /** Prolongs the lease. @returns false when the message is no longer in this hand */
  async keep(job: JobIdentity, holder: string, leaseMs: number): Promise<boolean> {
    return (await this.#run((client) => client.sqsKeep(...target(job), holder, leaseMs))) === 1;
  }

  /** Takes a message out of a hand. @param counts whether it used up an attempt @returns as {@link keep} */
  async putOff(job: JobIdentity, holder: string, delayMs: number, counts: boolean): Promise<boolean> {
    return (await this.#run((client) => client.sqsPutOff(...target(job), holder, delayMs, counts ? 0 : 1))) === 1;
  }

  async done(job: JobIdentity, generation: number): Promise<void> {
    await this.#run((client) => client.sqsDone(...target(job), generation, DONE_MS));
  }

  /**
   * Makes a dead letter of a message.
   *
   * @param unlessHeld whether a message in the hand of a consumer is left to it
   * @returns false when there is a newer one, or somebody has it
   */
  async die(
    job: JobIdentity,
    letter: { readonly generation: number; readonly reason: string; readonly attempts: number; readonly body: string },
    unlessHeld = false,
  ): Promise<boolean> {
    const { generation, reason, attempts, body } = letter;
    const reply = await this.#run((client) =>
      client.sqsDie(...target(job), generation, reason, attempts, body, DEAD_LETTER_RETENTION_MS, unlessHeld ? 1 : 0),
    );
    return reply === 1;
  }

  async forget(jobs: readonly JobIdentity[]): Promise<void> {
    await this.#run((client) => Promise.all(jobs.map((job) => client.sqsForget(...target(job)))));
  }

  /** What is known of a job's message; undefined when nothing is, or it was never sent. */
  async look(job: JobIdentity): Promise<Standing | undefined> {
    const id = queueEntryId(job);
    const [fields, died, heldUntil] = await this.#run((client) =>
      Promise.all([
        client.hmget(entryKey(id), 'generation', 'seen', 'done'),
        client.zscore(SETS.dead, id),
        client.zscore(SETS.held, id),
      ]),
    );
    const [generation, seen, done] = fields;
    if (typeof generation !== 'string') return undefined;
    const inHand = Number(heldUntil ?? 0) > Date.now();
    const fate = died !== null ? 'dead' : typeof done === 'string' ? 'done' : inHand ? 'in hand' : 'queued';
    return { generation: Number(generation), fate, seenAt: Number(seen ?? 0) };
  }

  /** What a dead letter is; undefined when there is none of that job. */
  async deadBody(job: JobIdentity): Promise<string | undefined> {
    const id = queueEntryId(job);
    const [died, body] = await this.#run((client) =>
      Promise.all([client.zscore(SETS.dead, id), client.hget(entryKey(id), 'body')]),
    );
    return died === null ? undefined : (body ?? undefined);
  }

  #run<T>(commands: (client: RedisConnection['client']) => Promise<T>): Promise<T> {
    return this.#redis.run(() => commands(this.#redis.client));
  }
}

function target(job: JobIdentity): [string, string, string, string, string, string] {
  const id = queueEntryId(job);
  return [entryKey(id), SETS.queued, SETS.held, SETS.delayed, SETS.dead, id];
}

function listOf(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  throw new Error('Redis answered a script of the queue with something else than a list.');
}
