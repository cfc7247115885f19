import type { IncomingHttpHeaders } from 'node:http';
import type { Observer } from '../observation.js';

/** A request that has come in. */
export interface StartedRequest {
  /** As it was sent; anybody may make one up. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** Whether it only asks how the service is. */
  readonly isProbe: boolean;
}

/** The end of a request: its reply is complete, or its client went away. */
export interface EndedRequest {
  /** Pattern of the route that took it, without the base path; undefined when none did. */
  readonly route: string | undefined;
  readonly status: number;
}

/** Watches requests. */
export type RequestObserver = Observer<StartedRequest, EndedRequest>;
