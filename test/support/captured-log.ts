import { createLogger, type Logger } from '../../src/logging/logger.js';

/** A logger whose lines a test can read. */
export interface CapturedLog {
  readonly logger: Logger;
  /** Warnings and errors so far: what is wrong with a dependency, otherwise the name of the event. */
  complaints(): string[];
  /** Everything logged so far. */
  entries(): readonly Entry[];
  /** Everything logged so far, as it was written. */
  text(): string;
}

type Entry = Readonly<Record<string, unknown>> & {
  readonly level: string;
  readonly event: string;
  readonly fault?: string;
};

const COMPLAINTS = ['warn', 'error', 'fatal'];

/** Logs into memory. */
export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'debug', destination });
  const entries = (): readonly Entry[] => lines.map((line) => JSON.parse(line) as Entry); // written by our own logger
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
