import { LOG_EVENTS, type Logger } from '../logging/log-events.js';

/** What happened, with particulars such as `jobId`, `kind`, `org`, `requestId` and `reason`. */
export interface LogLine {
  /** `debug`, `info`, `warn` or `error`. */
  readonly level: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Name of the event, such as `delivery.no_reply`. */
  readonly event: string;
  readonly [particular: string]: unknown;
}

/** Takes lines of the log. */
export type WriteLine = (line: LogLine) => void;

/** A logger that hands over lines, for those who log in ways of their own. */
export function lineLogger(write: WriteLine, fields: object = {}): Logger {
  return {
    event(event, more = {}) {
      try {
        write({ level: LOG_EVENTS[event][0], time: Date.now(), event, ...fields, ...more });
      } catch {
        // A line that cannot be written costs no delivery.
      }
    },
    child: (more) => lineLogger(write, { ...fields, ...more }),
  };
}

/** One JSON object a line. */
export function writeToConsole(line: LogLine): void {
  // Platforms for functions collect what is written to the console, and put the id of the invocation beside it.
  // eslint-disable-next-line no-console
  console.log(JSON.stringify(line));
}
