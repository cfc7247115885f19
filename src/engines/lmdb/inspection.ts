import type { JobInspection, QueuedMessage } from '../../job-record/job-inspection.js';
import type { JobIdentity } from '../../job-record/job-record.js';
import type { LmdbDatabase } from './database.js';
import type { LmdbJobRecords } from './job-records.js';
import { identityOf } from './message-id.js';
import type { LmdbMessages } from './messages.js';
import type { Standing } from './standing.js';
import { DamagedEntryError } from './table.js';

/** What is looked at. */
export interface LmdbInspectionParts {
  readonly database: LmdbDatabase;
  readonly records: LmdbJobRecords;
  readonly messages: LmdbMessages;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Jobs and queue on LMDB, as operators look at them beside the gateway. */
export function createLmdbInspection({ database, records, messages, clock }: LmdbInspectionParts): JobInspection {
  /** The queue notes when a message comes due, and only the record when its job was accepted. */
  const acceptedAt = (job: JobIdentity, now: number): number | undefined => {
    try {
      return records.get(job, now)?.createdAt;
    } catch (error) {
      if (error instanceof DamagedEntryError) return undefined;
      throw error;
    }
  };
  return {
    find: (jobId) => database.read(() => records.find(jobId)),
    queued: () =>
      database.read(() => {
        const now = clock();
        return messages.standings().flatMap(({ id, standing }): readonly QueuedMessage[] => {
          const job = identityOf(id);
          if (job === undefined) return [];
          const { attempts, dueAt } = standing;
          const state = stateOf(standing, now);
          const about = { ...job, state, attempts, acceptedAt: acceptedAt(job, now) };
          return [state === 'delayed' ? { ...about, dueAt } : about];
        });
      }),
  };
}

function stateOf({ token, dueAt }: Standing, now: number): QueuedMessage['state'] {
  // The lease of a consumer that died has run out, so its message may be taken.
  if (dueAt <= now) return 'waiting';
  return token === undefined ? 'delayed' : 'in hand';
}
