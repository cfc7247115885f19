import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { OperationNotes, SharedFields } from '../graphql/operation-notes.js';
import type { JobIdentity } from '../job-record/job-record.js';
import type { Logger } from '../logging/logger.js';
import type { RequestObserver } from './request-observer.js';
import { pathOf, readTarget } from './request-target.js';

/** What every middleware may rely on. */
export interface GatewayState {
  readonly requestId: string;
  /** Logger that carries the request id, and what identifies the job of a callback once that is known. */
  log: Logger;
  /** Path and query; undefined when the request has a target that is none. */
  readonly target: string | undefined;
  /** The path alone. */
  readonly path: string | undefined;
  /** Pattern of the route that took the request, without the base path; undefined as long as none has. */
  route: string | undefined;
  /** What is known of a GraphQL request. */
  operation: OperationNotes | undefined;
  /** What is known of the job of a callback. */
  job: Partial<JobIdentity> | undefined;
}

/** Stands for a reply that nobody has received whole, as in the logs of nginx; HTTP has no such status. */
const CLIENT_CLOSED_REQUEST = 499;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Gives every request an id, the caller's `x-request-id` when it is well-formed, and logs one line when the
 * reply is complete, or the connection gone. Neither headers nor query nor bodies are logged: all of them can hold
 * secrets.
 */
export class RequestLog {
  readonly #logger: Logger;
  readonly #loggerOf: FindLogger;
  readonly #observer: RequestObserver | undefined;

  /** @param observer absent: nobody else watches requests */
  constructor(logger: Logger, observer?: RequestObserver) {
    this.#logger = logger;
    this.#loggerOf = sharedLoggers(logger);
    this.#observer = observer;
  }

  /** Follows a request to its end. @param work what is to be done with it, which counts as a part of it */
  follow<T>(req: IncomingMessage, res: ServerResponse, work: (state: GatewayState) => T): T {
    const { method = '', headers } = req;
    const requestId = idOf(headers['x-request-id']);
    const target = readTarget(req);
    const path = target && pathOf(target);
    const state: GatewayState = {
      requestId,
      log: this.#logger.child({ requestId }),
      target,
      path,
      route: undefined,
      operation: undefined,
      job: undefined,
    };
    const isProbe = path?.includes('/health/') === true;
    const startedAt = performance.now();
    const observation = this.#observer?.started({ method, headers, requestId, isProbe });
    // Outside the middleware: what throws here ends the process, so nothing of the request is read any more.
    const end = (): void => {
      const durationMs = Math.round(performance.now() - startedAt);
      const isWhole = res.writableFinished;
      const status = isWhole ? res.statusCode : CLIENT_CLOSED_REQUEST;
      const event = isProbe ? 'request.probed' : isWhole ? 'request.handled' : 'request.cut_short';
      const { operation, job } = state;
      const own = this.#loggerOf(operation?.shared, method, path);
      (own ?? this.#logger).event(event, {
        requestId,
        method: own === undefined ? method : undefined,
        path: own === undefined ? path : undefined,
        errors: operation?.errors,
        codes: operation?.codes,
        jobId: job?.jobId ?? operation?.jobId,
        jobIds: operation?.jobIds,
        kind: job?.kind,
        org: job?.org,
        status,
        durationMs,
      });
      observation?.finish({ route: state.route, status });
    };
    res.on('close', () => (observation === undefined ? end() : observation.within(end)));
    return observation === undefined ? work(state) : observation.within(() => work(state));
  }
}

/** Follows what Koa handles. */
export function requestLog(log: RequestLog): Middleware<GatewayState> {
  return (ctx, next) =>
    log.follow(ctx.req, ctx.res, (state) => {
      ctx.state = state;
      return next();
    });
}

/** A well-formed one that was given, or a new one. */
function idOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

type FindLogger = (shared: SharedFields | undefined, method: string, path: string | undefined) => Logger | undefined;

/** A logger of requests that have much in common, and where they came to. */
interface SharedLogger {
  readonly method: string;
  readonly path: string | undefined;
  readonly logger: Logger;
}

/**
 * Loggers that carry what is the same for many requests, so that it is turned into text once; where they came to
 * belongs to that, as it is the same for nearly all.
 *
 * @returns finds the one of a request; undefined when it shares nothing
 */
function sharedLoggers(logger: Logger): FindLogger {
  const known = new WeakMap<SharedFields, SharedLogger>();
  return (shared, method, path) => {
    if (shared === undefined) return undefined;
    const own = known.get(shared);
    if (own?.method === method && own.path === path) return own.logger;
    const made = logger.child({ method, path, ...shared });
    known.set(shared, { method, path, logger: made });
    return made;
  };
}
