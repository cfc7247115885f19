import type { JobQueue, JobSubmission, SubmittedJob } from '../../record/job-queue.js';
import { limitErrorOf, sharesUsed } from '../../record/organisation-jobs.js';
import { enqueue, replay, replayTime, submittedOf } from '../../record/transitions.js';
import { SqliteConsumer, type SqliteConsumerParts } from './consumer.js';
import type { SqliteOrganisations } from './organisations.js';

interface SqliteQueue extends JobQueue, JobSubmission {
  /** Stops all consumers without waiting for their messages. */
  stop(): void;
}

/** Creates the queue on SQLite. It shares the file of the job records, so that both change in one transaction. */
export function createSqliteQueue(
  parts: SqliteConsumerParts & { readonly organisations: SqliteOrganisations },
): SqliteQueue {
  const { database, records, messages, organisations, limits } = parts;
  /** Those of this process, which starts one. */
  const consumers = new Set<SqliteConsumer>();
  const wakeIf = (isDue: boolean): void => consumers.forEach((consumer) => isDue && consumer.wake());
  return {
    async submit(message) {
      const submitted = await database.transact<SubmittedJob>((now) => {
        const live = records.getOrRemove(message, now);
        const next = enqueue(live, message.described, now);
        if (next === undefined) return submittedOf(live, next);
        const load = organisations.load(message, now);
        const shares = sharesUsed(load, message, limits);
        limits.onOrder?.(message.org, shares);
        const refusal = limitErrorOf(shares, load);
        if (refusal !== undefined) throw refusal;
        records.write(message, { live, next, now }, { listed: true });
        messages.add(message, now);
        organisations.noteOrder(message, now);
        return submittedOf(live, next);
      });
      wakeIf(submitted.isNew);
      return submitted;
    },
    // Record and message were written in one transaction.
    submitAgain: () => Promise.resolve(),
    consume(...given) {
      const consumer = new SqliteConsumer(parts, ...given);
      consumers.add(consumer);
      return consumer;
    },
    deadLetters: () => database.read(() => messages.deadLetters()),
    deadMessage: (job) => database.read(() => (messages.stateOf(job) === 'dead' ? messages.read(job) : undefined)),
    async replay(job) {
      const replayed = await database.transact<boolean>((now) => {
        if (messages.stateOf(job) !== 'dead') return false;
        const { live } = records.update(job, now, replay);
        messages.revive(job, now, replayTime(live, now));
        return true;
      });
      wakeIf(replayed);
      return replayed;
    },
    drop: (job) =>
      database.transact<boolean>(() => {
        const isDead = messages.stateOf(job) === 'dead';
        if (isDead) messages.remove(job);
        return isDead;
      }),
    load: () => database.read(() => messages.load()),
    stop: () => consumers.forEach((consumer) => consumer.stop()),
  };
}
