import { LOG_EVENTS, type LogLevel } from '../../log-events.js';
import type { Logger } from '../../logger.js';
import type { MetricSet } from './metric-set.js';

/** Levels that somebody should know of. */
const COUNTED: ReadonlySet<LogLevel> = new Set(['warn', 'error', 'fatal']);

/** The same logger, whose warnings and errors are counted, whether they are written or not. */
export function countedLogger(logger: Logger, metrics: MetricSet): Logger {
  const known = Object.entries(LOG_EVENTS).map(([event, [level]]) => ({ event, level }));
  const events = metrics.counter(
    'gateway_log_events_total',
    known.filter(({ level }) => COUNTED.has(level)),
  );
  const counted = (inner: Logger): Logger => ({
    event(event, fields) {
      const [level] = LOG_EVENTS[event];
      if (COUNTED.has(level)) events.count({ event, level });
      inner.event(event, fields);
    },
    child: (fields) => counted(inner.child(fields)),
  });
  return counted(logger);
}
