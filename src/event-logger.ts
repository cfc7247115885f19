import type { LogEvent } from './log-events.js';

/** Writes events, one line each. */
export interface Logger {
  /**
   * Writes an event at its level.
   *
   * @param fields its particulars; an error goes under `err`, its text alone under `reason`
   */
  event(name: LogEvent, fields?: object): void;
  /** A logger whose events carry these fields as well. */
  child(fields: object): Logger;
}
