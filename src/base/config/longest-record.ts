/** Longest time for which the record of a job is kept after its end, in days. */
export const LONGEST_RECORD_DAYS = 7;
