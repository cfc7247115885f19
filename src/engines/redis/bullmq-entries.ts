import type { Queue } from 'bullmq';
import type { QueuedMessage } from '../../job-record/job-inspection.js';
import type { RedisClient } from './clients.js';
import { identityOf } from './queue-entry-id.js';

/** BullMQ's names of the states that each of ours stands for. */
const STATES = { waiting: ['wait', 'prioritized'], delayed: ['delayed'], 'in hand': ['active'] } as const;

/** What BullMQ keeps of an entry besides its data: when it was added, attempts that failed, consumers that died. */
const FIELDS = ['timestamp', 'atm', 'stc'] as const;

/** Entries asked for at once. */
const BATCH = 500;

/** BullMQ orders delayed entries by due time in milliseconds, shifted to make room for a sequence number. */
const SCORES_PER_MS = 0x1000;

/** Entries of BullMQ that are still to be delivered; ids that name no job of ours are left out. */
export async function listEntries(queue: Queue<unknown>, client: RedisClient): Promise<readonly QueuedMessage[]> {
  const found = new Map<string, QueuedMessage>();
  for (const state of ['waiting', 'delayed', 'in hand'] as const) {
    const ids = await queue.getRanges([...STATES[state]], 0, -1, true);
    for (let from = 0; from < ids.length; from += BATCH) {
      // Sent one after the other without waiting: one round trip.
      const batch = ids.slice(from, from + BATCH);
      const entries = await Promise.all(batch.map((id) => readEntry(queue, client, id, state)));
      // One that moved on meanwhile counts where it was seen last.
      batch.forEach((id, index) => {
        const entry = entries[index];
        if (entry !== undefined) found.set(id, entry);
      });
    }
  }
  return [...found.values()];
}

async function readEntry(
  queue: Queue<unknown>,
  client: RedisClient,
  id: string,
  state: QueuedMessage['state'],
): Promise<QueuedMessage | undefined> {
  const job = identityOf(id);
  if (job === undefined) return undefined;
  const [[timestamp, failed, died], score] = await Promise.all([
    client.hmget(queue.toKey(id), ...FIELDS),
    state === 'delayed' ? client.zscore(queue.toKey('delayed'), id) : null,
  ]);
  // It was done since its id was read.
  if (timestamp === undefined || timestamp === null) return undefined;
  const before = Number(failed ?? 0) + Number(died ?? 0);
  return {
    ...job,
    state,
    acceptedAt: Number(timestamp),
    attempts: state === 'in hand' ? before + 1 : before,
    ...(score !== null && { dueAt: Math.floor(Number(score) / SCORES_PER_MS) }),
  };
}
