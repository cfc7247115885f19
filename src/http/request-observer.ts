import type { IncomingHttpHeaders } from 'node:http';
import type { Observer } from '../observation.js';

/** Start of a request. */
export interface StartedRequest {
  /** Method as sent, untrusted. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** True for a health check. */
  readonly isProbe: boolean;
}

/** End of a request: its reply is complete, or its client went away. */
export interface EndedRequest {
  /** Pattern of the matched route without the base path; undefined if no route matched. */
  readonly route: string | undefined;
  readonly status: number;
}

export type RequestObserver = Observer<StartedRequest, EndedRequest>;
