import { describeError, ServiceUnavailableError } from '../../../base/errors.js';
import { NewerFormatError } from '../../record/stored-fields.js';
import type { DeadLetter, JobMessage } from '../../record/job-queue.js';
import { jobRecordKey, type JobIdentity } from '../../record/job-record.js';
import { removeBodyOf } from '../../record/sqs-delivery.js';
import { readSqsEnvelope, type SqsDeath, type SqsEnvelope } from '../../record/sqs-envelope.js';
import { isHandled } from '../../record/transitions.js';
import type { SqsParts } from './queue-facts.js';

/** Time for which messages are hidden while they are read. */
const HIDDEN_SECONDS = 60;

const MAX_LISTED = 10_000;
const MAX_COLLECTED = 1_000;

/** Maximum number of empty polls, of a second each, while other processes hold messages. */
const MAX_EMPTY_POLLS = 10;

/** Reason of a message that SQS itself has moved to the dead-letter queue. */
const NOT_SETTLED = 'SQS delivered it as often as the queue allows, and it was never settled.';

const NO_STATUS = 503;

/** Message of the dead-letter queue, hidden from other readers until the end of the read. */
interface HeldDeadLetter {
  readonly message: SqsEnvelope;
  readonly death: SqsDeath;
  readonly diedAt: number;
  /** Removes it, unless it has come back in sight of other readers meanwhile. @returns true if removed */
  remove(): Promise<boolean>;
}

export async function countLetters({ client, facts }: SqsParts): Promise<number> {
  const { deadLetterUrl } = await facts();
  if (deadLetterUrl === undefined) return 0;
  const { waiting, hidden } = await client.counts(deadLetterUrl);
  return waiting + hidden;
}

/** Returns all dead letters, oldest first. A job that died several times is listed with its last one. */
export async function list(parts: SqsParts): Promise<readonly DeadLetter[]> {
  /** At most `MAX_LISTED`. */
  const found = new Map<string, DeadLetter>();
  for await (const { message, death, diedAt } of held(parts, MAX_LISTED)) {
    const { kind, org, jobId } = message.job;
    const key = jobRecordKey(message.job);
    if ((found.get(key)?.diedAt ?? 0) > diedAt) continue;
    found.set(key, { message: { kind, org, jobId }, reason: death.reason, attempts: death.attempts, diedAt });
  }
  return [...found.values()].sort((a, b) => a.diedAt - b.diedAt);
}

/** Returns the message of a dead letter; undefined if the job has none, or the body is missing. */
export async function message(parts: SqsParts, job: JobIdentity): Promise<JobMessage | undefined> {
  for await (const { message: found } of heldOf(parts, job)) {
    const { payload } = found;
    const sealed = 'sealed' in payload ? payload.sealed : await parts.bodies.get(payload.key);
    return sealed === undefined ? undefined : { ...found.job, payload: sealed };
  }
  return undefined;
}

/**
 * Takes a message out of the dead letters.
 *
 * @param send sends the replacement; called before the removal. If it outlasts the time for which the message is hidden
 *   from other readers, the dead letter stays
 * @returns false if the job has no dead letter, or another process holds it
 */
export async function takeLetters(
  parts: SqsParts,
  job: JobIdentity,
  send: (message: SqsEnvelope) => Promise<void>,
): Promise<boolean> {
  for await (const dead of heldOf(parts, job)) {
    await send(dead.message);
    await dead.remove();
    return true;
  }
  return false;
}

/** Removes all dead letters of a job. @returns false if it has none, or another process holds them */
export async function dropLetters(parts: SqsParts, job: JobIdentity): Promise<boolean> {
  let isDropped = false;
  for await (const dead of heldOf(parts, job)) {
    isDropped = (await discard(parts, dead)) || isDropped;
  }
  return isDropped;
}

/**
 * Ends the records of jobs that SQS, or a function that it calls, has moved to the dead-letter queue, and deletes
 * messages of jobs that were done nevertheless.
 */
export async function collect(parts: SqsParts): Promise<void> {
  for await (const dead of held(parts, MAX_COLLECTED)) {
    try {
      if (await isDone(parts, dead)) await discard(parts, dead);
    } catch (error) {
      // The record is left to a process that can read it.
      if (error instanceof NewerFormatError) continue;
      if (error instanceof ServiceUnavailableError) throw error;
      parts.logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
    }
  }
}

/** Removes a dead letter and the body of its message. @returns false if it is no longer held */
async function discard({ bodies, logger }: SqsParts, dead: HeldDeadLetter): Promise<boolean> {
  if (!(await dead.remove())) return false;
  await removeBodyOf(dead.message, { removeBody: (key) => bodies.remove(key) }, logger);
  return true;
}

/** Returns true if the job of a dead letter was done. Ends the record of an unfinished one, unless it is running. */
async function isDone(parts: SqsParts, { message: { job }, death, diedAt }: HeldDeadLetter): Promise<boolean> {
  const { store, logger } = parts;
  const record = await store.read(job);
  if (record?.state === 'finished') return isHandled(record);
  // An expired record is not created again.
  if (record === undefined && Date.now() - diedAt > job.described.retentionMs) return false;
  const { reason, status = NO_STATUS } = death;
  const result = { status, body: JSON.stringify({ message: reason }) };
  const ended = await store.failLost(job, job.described, result, record);
  const { jobId, kind, org } = job;
  if (ended) logger.event('delivery.dead_letter', { jobId, kind, org, status, reason });
  return false;
}

/**
 * Reads the dead-letter queue, in any order. Messages stay hidden from other readers until the end. If other
 * processes read as well, this waits for the messages they hold.
 */
async function* held(parts: SqsParts, max: number): AsyncGenerator<HeldDeadLetter> {
  const { client, facts } = parts;
  const { deadLetterUrl: url } = await facts();
  if (url === undefined) return;
  /** At most `max` and a batch. */
  const inHand = new Set<string>();
  try {
    let looked = 0;
    for (let emptyPolls = 0; looked < max && emptyPolls < MAX_EMPTY_POLLS;) {
      const hiddenUntil = performance.now() + HIDDEN_SECONDS * 1_000;
      const batch = await client.receive(url, HIDDEN_SECONDS);
      looked += batch.length;
      for (const { receiptHandle } of batch) inHand.add(receiptHandle);
      for (const { body, sentAt, receiptHandle } of batch) {
        const message = read(parts, body);
        if (message === undefined) continue;
        const death = message.death ?? { reason: NOT_SETTLED, attempts: message.attempts + 1 };
        const remove = async (): Promise<boolean> => {
          // Another process may have ended the job meanwhile. The dead letter brings it back then.
          if (performance.now() > hiddenUntil) return false;
          await client.delete(url, receiptHandle);
          inHand.delete(receiptHandle);
          return true;
        };
        yield { message, death, diedAt: sentAt, remove };
      }
      if (batch.length > 0) continue;
      if ((await countLetters(parts)) <= inHand.size) break;
      emptyPolls += 1;
    }
  } finally {
    await client.release(url, [...inHand]);
  }
}

async function* heldOf(parts: SqsParts, job: JobIdentity): AsyncGenerator<HeldDeadLetter> {
  const key = jobRecordKey(job);
  for await (const dead of held(parts, MAX_LISTED)) if (jobRecordKey(dead.message.job) === key) yield dead;
}

/** @returns undefined if unreadable here: it is left to a process that can read it */
function read(parts: SqsParts, body: string): SqsEnvelope | undefined {
  try {
    return readSqsEnvelope(body);
  } catch (error) {
    if (!(error instanceof NewerFormatError)) {
      parts.logger.event('queue.dead_letter_unreadable', { reason: describeError(error) });
    }
    return undefined;
  }
}
