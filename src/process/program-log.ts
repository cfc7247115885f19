import { format } from 'node:util';
import { pino, type DestinationStream } from 'pino';
import { toLine } from '../errors.js';
import type { Logger } from '../logging/logger.js';

const STANDARD_OUTPUT = 1;

/** Size at which lines are written before their turn is over, in characters. */
const MAX_PENDING = 8 * 1024;

/**
 * Standard output for log lines. Lines of one turn of the event loop are written together at its end, because the
 * system call costs more than all the rest of a line; what ends the process in any way but SIGKILL loses none.
 */
export function logDestination(): DestinationStream {
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: true });
  let pending = '';
  // Its own `flushSync` waits for the disk as well: in vain where this is a pipe, and long where it is a file.
  const flush = (): void => {
    const lines = pending;
    pending = '';
    if (lines !== '') output.write(lines);
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (pending === '') setImmediate(flush);
      pending += line;
      if (pending.length >= MAX_PENDING) flush();
    },
  };
}

/** Warnings that are remembered. */
const MAX_WARNINGS = 100;

/**
 * Logs warnings of Node and of libraries, and whatever these write to the console, each once: a client may repeat its
 * own with every connection. Node itself would write them to standard error as plain text, between lines of the log.
 */
export function logWarnings(logger: Logger): void {
  const told = new Set<string>();
  const warned = (reason: string): void => {
    if (told.has(reason)) return;
    if (told.size >= MAX_WARNINGS) told.clear();
    told.add(reason);
    logger.event('process.warned', { reason });
  };
  // Node's own listener is the first.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => warned(`${name}: ${message}`));
  for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
    console[method] = (...words: unknown[]) => warned(toLine(format(...words)));
  }
}
