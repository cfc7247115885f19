/**
 * Retention time of reports: a day longer than that of the records that name them (`RECORD_RETENTION_MS`), because a
 * report is stored before its job ends.
 */
export const REPORT_RETENTION_DAYS = 8;

/** {@link REPORT_RETENTION_DAYS} in milliseconds. */
export const REPORT_RETENTION_MS = REPORT_RETENTION_DAYS * 24 * 60 * 60 * 1000;

/** Prefix of the keys of reports. */
export const REPORT_PREFIX = 'driving-reports/';

/**
 * Prefix of the keys of bodies that are too large for their queue. Jobs remove their bodies at the end; leftovers are
 * removed like reports.
 */
export const BODY_PREFIX = 'job-bodies/';
