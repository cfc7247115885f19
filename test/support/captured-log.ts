import { createLogger } from '../../src/base/logging/logger.js';

/** A logger whose lines a test can read. */
export type CapturedLog = ReturnType<typeof captureLog>;

/** A line of a log. */
export type LogEntry = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly event: string;
  readonly fault?: string;
};

const COMPLAINTS = ['warn', 'error', 'fatal'];

/** The lines of a log in JSON, all or those of an event. */
export function entriesOf(log: string, event?: string): readonly LogEntry[] {
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line) as LogEntry); // written by our own logger
  return event === undefined ? entries : entries.filter((entry) => entry.event === event);
}

/** Logs into memory. */
export function captureLog() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'debug', destination });
  const entries = (): readonly LogEntry[] => entriesOf(lines.join(''));
  return {
    logger,
    entries,
    complaints: () =>
      entries()
        .filter(({ level }) => COMPLAINTS.includes(level))
        .map(({ event, fault }) => fault ?? event),
    text: () => lines.join(''),
  };
}
