/**
 * How long reports are kept: a day longer than the records that name them (`RECORD_RETENTION_MS`), because a report is
 * stored before its job ends.
 */
export const REPORT_RETENTION_DAYS = 8;

/** The same in milliseconds. */
export const REPORT_RETENTION_MS = REPORT_RETENTION_DAYS * 24 * 60 * 60 * 1000;

/** What the keys of all reports start with. */
export const REPORT_PREFIX = 'driving-reports/';

/**
 * What the keys of all bodies start with that were too large for their queue. They are removed when their jobs are
 * done; what is left is removed like reports.
 */
export const BODY_PREFIX = 'job-bodies/';
