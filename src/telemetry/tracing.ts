import type { Logger } from '../logging/logger.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import type { Observers } from './observers.js';

/** Where spans go, and of whom they are. */
export interface TracingOptions {
  /** URL that takes spans (OTLP over HTTP). */
  readonly endpoint: string;
  readonly service: string;
  readonly version: string;
  /** Kind of the job store: `redis` or `sqlite`. */
  readonly database: string;
  /** The bucket that reports are kept in; undefined: they are files. */
  readonly bucket: string | undefined;
  readonly logger: Logger;
}

/** Traces of everything that happens in this process. */
export interface Tracing {
  readonly observers: Observers;
  readonly currentTrace: CurrentTrace;
  /** Writes the trace to each line that belongs to one. */
  readonly logger: Logger;
  /** Hands over what is left, within 2 s. Never rejects. */
  close(): Promise<void>;
}
