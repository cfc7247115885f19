/**
 * Prefix of all keys of the queue as a whole: BullMQ's own, the index of unfinished jobs, the lease of the sweep, and
 * the organisations that have work. In Redis Cluster the braces keep them all in one slot. Keys of records are made in
 * `job-record/job-record.ts`, those of an organisation in `organisation-jobs.ts`.
 */
export const KEY_PREFIX = '{gateway}';
