import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import type { OperationLog, SharedFields } from '../graphql/operation-log.js';
import type { JobIdentity } from '../../jobs/record/job-record.js';
import type { Logger } from '../../base/logging/logger.js';
import { pathOf, readTarget } from './request-target.js';
import type { Observer } from '../../base/observation.js';
import { networksOf } from '../../base/wire/client-address.js';

/** Start of a request, with the method as sent, untrusted. */
interface StartedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** True for a health check. */
  readonly isProbe: boolean;
}

/** End of a request: its reply is complete, or its client has disconnected. */
type EndedRequest = Pick<GatewayState, 'route'> & { readonly status: number };

declare module '../../base/observation.js' {
  interface ObservedWork {
    request: Observed<StartedRequest, EndedRequest>;
  }
}

/** State of a request, set for every middleware. */
export interface GatewayState {
  readonly requestId: string;
  /** Logger with the request id and, once known, the identity of a callback's job. */
  log: Logger;
  /** Path and query; undefined if the request's target is invalid. */
  readonly target: string | undefined;
  /** Path without query. */
  readonly path: string | undefined;
  /** Pattern of the matched route without the base path; undefined until a route matches. */
  route: string | undefined;
  operation: OperationLog | undefined;
  /** Known identity of a callback's job. */
  job: Partial<JobIdentity> | undefined;
}

/** Request with its reply, for every middleware. */
export type HttpContext = Context & { state: GatewayState };

/** Status in the log for a reply that was not received completely, as in logs of nginx; HTTP has no such status. */
const CLIENT_CLOSED_REQUEST = 499;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Creates middleware that gives every request an id, the caller's `x-request-id` if well-formed, and logs one line when
 * the reply is complete or the connection is closed. Headers (but the client's name), query and bodies are not logged,
 * because they can hold secrets. A client that is refused often is named in a line of its own.
 *
 * @param observer watches requests as well, if given
 */
export function requestLog(logger: Logger, observer: Observer | undefined): (ctx: HttpContext, next: Next) => unknown {
  const refusals = new RepeatedRefusals(logger);
  const loggerOf = sharedLoggers(logger);

  /** Logs a request. An error here would end the process, so no input of the request is parsed here. */
  function logEnd(ctx: HttpContext, { requestId, method, isProbe }: StartedRequest, startedAt: number): EndedRequest {
    const { res, state } = ctx;
    const durationMs = Math.round(performance.now() - startedAt);
    const isWhole = res.writableFinished;
    const status = isWhole ? res.statusCode : CLIENT_CLOSED_REQUEST;
    const event = isProbe ? 'request.probed' : isWhole ? 'request.handled' : 'request.cut_short';
    const { path, route, operation, job } = state;
    const own = loggerOf(operation?.shared, method, path);
    (own ?? logger).event(event, {
      requestId,
      method: own === undefined ? method : undefined,
      path: own === undefined ? path : undefined,
      errors: operation?.errors,
      codes: operation?.codes,
      jobId: job?.jobId ?? operation?.jobId,
      jobIds: operation?.jobIds,
      kind: job?.kind,
      org: job?.org ?? operation?.org,
      client: operation?.client,
      status,
      durationMs,
    });
    const refusal = operation?.refusal ?? (status === 401 ? 'Unauthorized' : undefined);
    if (refusal !== undefined) refusals.count(ctx.ip, refusal);
    return { route, status };
  }

  return (ctx, next) => {
    const { req, res } = ctx;
    const { method = '', headers } = req;
    const { requestId, path } = (ctx.state = stateOf(req, logger));
    const started = { method, headers, requestId, isProbe: path?.includes('/health/') === true };
    const startedAt = performance.now();
    const observation = observer?.started('request', started);
    const end = (): EndedRequest => logEnd(ctx, started, startedAt);
    if (observation === undefined) {
      res.on('close', end);
      return next();
    }
    res.on('close', () => observation.within(() => observation.finish(end())));
    return observation.within(next);
  };
}

/**
 * Returns a function that finds the logger with the fields that many requests share, so that these are serialized once;
 * undefined without them. Nearly all requests have one method and path.
 */
function sharedLoggers(logger: Logger) {
  const known = new WeakMap<SharedFields, { method: string; path: string | undefined; logger: Logger }>();
  return (shared: SharedFields | undefined, method: string, path: string | undefined): Logger | undefined => {
    if (shared === undefined) return undefined;
    const last = known.get(shared);
    if (last?.method === method && last.path === path) return last.logger;
    const own = logger.child({ method, path, ...shared });
    known.set(shared, { method, path, logger: own });
    return own;
  };
}

/** Returns what is known of a request that has just begun. */
function stateOf(req: IncomingMessage, logger: Logger): GatewayState {
  const { 'x-request-id': given = '' } = req.headers;
  const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  const target = readTarget(req);
  const path = target && pathOf(target);
  const log = logger.child({ requestId });
  return { requestId, log, target, path, route: undefined, operation: undefined, job: undefined };
}

/** Interval of lines in milliseconds, and the least number of refusals in it that gets one. */
const [EVERY_MS, LEAST] = [60_000, 30];

/** Limit of networks that are counted, because their number is theirs to choose. */
const MAX_NETWORKS = 1_000;

/** Refused requests of a network, for one reason. */
interface Refusals {
  readonly address: string;
  readonly reason: string;
  /** Network around this one; undefined for the widest. */
  readonly within: string | undefined;
  requests: number;
}

/**
 * Names the client with the most refused requests, once a minute at most: the smallest network that most of the
 * requests of those around it come from. Only the load balancer can stop it.
 */
export class RepeatedRefusals {
  readonly #logger: Logger;
  readonly #counted = new LRUCache<string, Refusals>({ max: MAX_NETWORKS });
  #of = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Counts a refused request. @param reason `shed` or the code of the error */
  count(given: string, reason: string): void {
    if (this.#of === 0) setTimeout(() => this.#report(), EVERY_MS).unref();
    this.#of += 1;
    let within: string | undefined;
    for (const address of networksOf(given)) {
      const key = `${reason} ${address}`;
      const counted = this.#counted.get(key) ?? { address, reason, within, requests: 0 };
      counted.requests += 1;
      this.#counted.set(key, counted);
      within = key;
    }
  }

  #report(): void {
    let largest = this.#largestWithin(undefined);
    for (let inner = largest; inner !== undefined && inner.requests * 2 > (largest?.requests ?? 0);) {
      largest = inner;
      inner = this.#largestWithin(`${inner.reason} ${inner.address}`);
    }
    if (largest !== undefined && largest.requests >= LEAST) {
      const { address, reason, requests } = largest;
      this.#logger.event('requests.refused_often', { address, reason, requests, of: this.#of });
    }
    this.#counted.clear();
    this.#of = 0;
  }

  #largestWithin(network: string | undefined): Refusals | undefined {
    const inner = [...this.#counted.values()].filter(({ within }) => within === network);
    return inner.sort((one, other) => other.requests - one.requests)[0];
  }
}
