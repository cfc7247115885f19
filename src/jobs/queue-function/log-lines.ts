import { LOG_EVENTS, type Logger } from '../../base/logging/log-events.js';

/** Log event, with fields such as `jobId`, `kind`, `org`, `requestId` and `reason`. */
export interface LogLine {
  /** `debug`, `info`, `warn` or `error`. */
  readonly level: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Name of the event, such as `delivery.no_reply`. */
  readonly event: string;
  readonly [particular: string]: unknown;
}

export type WriteLine = (line: LogLine) => void;

/** Creates a logger that passes on its lines, for custom logging. */
export function lineLogger(write: WriteLine, fields: object = {}): Logger {
  return {
    event(event, more = {}) {
      try {
        write({ level: LOG_EVENTS[event][0], time: Date.now(), event, ...fields, ...more });
      } catch {
        // A line that cannot be written must not fail the delivery.
      }
    },
    child: (more) => lineLogger(write, { ...fields, ...more }),
  };
}

/** Writes one JSON object per line. */
export function writeToConsole(line: LogLine): void {
  // Function platforms collect the console's output, and add the id of the invocation.
  // oxlint-disable-next-line no-console
  console.log(JSON.stringify(line));
}
