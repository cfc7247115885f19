import { pino, type DestinationStream } from 'pino';

const STANDARD_OUTPUT = 1;

/** Size at which lines are written before their turn is over, in bytes. */
const MAX_BUFFERED = 8 * 1024;

/**
 * Standard output for log lines. Lines of one turn of the event loop are written together at its end, because the
 * system call costs more than all the rest of a line; what ends the process in any way but SIGKILL loses none.
 */
export function logDestination(): DestinationStream {
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: true, minLength: MAX_BUFFERED });
  let scheduled = false;
  const flush = (): void => {
    scheduled = false;
    output.flushSync();
  };
  process.on('exit', () => output.flushSync());
  return {
    write(line) {
      output.write(line);
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
  };
}
