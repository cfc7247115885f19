import { createLogger, type Logger } from '../../src/logger.js';

/** A logger whose lines a test can read. */
export interface CapturedLog {
  readonly logger: Logger;
  /** Messages of warnings and errors so far. */
  complaints(): string[];
  /** Everything logged so far, as it was written. */
  text(): string;
}

const WARN = 40;

/** Logs into memory. */
export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'debug', pretty: false, destination });
  return {
    logger,
    complaints: () =>
      lines
        .map((line) => JSON.parse(line) as { level: number; msg: string }) // written by our own logger
        .filter(({ level }) => level >= WARN)
        .map(({ msg }) => msg),
    text: () => lines.join(''),
  };
}
