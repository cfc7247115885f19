/** Prefix of the keys of reports. */
export const REPORT_PREFIX = 'driving-reports/';

/**
 * Prefix of the keys of bodies that are too large for their queue. Jobs remove their bodies at the end; leftovers are
 * removed like reports.
 */
export const BODY_PREFIX = 'job-bodies/';
