import type { Logger } from '../../logger.js';

/** The same logger, which also says to which trace a line belongs. */
export function tracedLogger(logger: Logger, traceId: () => string | undefined): Logger {
  return {
    event(name, fields) {
      const id = traceId();
      logger.event(name, id === undefined ? fields : { ...fields, trace_id: id });
    },
    child: (fields) => tracedLogger(logger.child(fields), traceId),
  };
}
