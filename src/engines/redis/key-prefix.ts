/**
 * What every key starts with that belongs to the queue as a whole: BullMQ's own, the index of unfinished jobs and the
 * lease of the sweep. In Redis Cluster the braces keep them all in one slot. Keys of records are made in
 * `job-record/job-record.ts`.
 */
export const KEY_PREFIX = '{gateway}';
