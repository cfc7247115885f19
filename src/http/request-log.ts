import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import type { OperationNotes, SharedFields } from '../graphql/operation-notes.js';
import type { JobIdentity } from '../job-record/job-record.js';
import type { Logger } from '../logging/logger.js';
import { refusedCrowds } from './refused-crowds.js';
import { pathOf, readTarget } from './request-target.js';
import type { Observer } from '../observation.js';

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

declare module '../observation.js' {
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
  operation: OperationNotes | undefined;
  /** Known identity of a callback's job. */
  job: Partial<JobIdentity> | undefined;
}

/** Status in the log for a reply that was not received completely, as in logs of nginx; HTTP has no such status. */
const CLIENT_CLOSED_REQUEST = 499;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Creates middleware that gives every request an id, the caller's `x-request-id` if well-formed, and logs one line when
 * the reply is complete or the connection is closed. Headers, query and bodies are not logged, because they can hold
 * secrets. A client that is refused often is named in a line of its own.
 *
 * @param observer watches requests as well, if given
 */
export function requestLog(logger: Logger, observer?: Observer): Middleware<GatewayState> {
  const loggerOf = sharedLoggers(logger);
  const countRefused = refusedCrowds(logger);
  return (ctx, next) => {
    const { req, res } = ctx;
    const { method = '', headers } = req;
    const { 'x-request-id': given = '' } = headers;
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const target = readTarget(req);
    const path = target && pathOf(target);
    const log = logger.child({ requestId });
    const state: GatewayState = {
      requestId,
      log,
      target,
      path,
      route: undefined,
      operation: undefined,
      job: undefined,
    };
    ctx.state = state;
    const isProbe = path?.includes('/health/') === true;
    const startedAt = performance.now();
    const observation = observer?.started('request', { method, headers, requestId, isProbe });
    // An error here would end the process, so no input of the request is parsed here.
    const end = (): void => {
      const durationMs = Math.round(performance.now() - startedAt);
      const isWhole = res.writableFinished;
      const status = isWhole ? res.statusCode : CLIENT_CLOSED_REQUEST;
      const event = isProbe ? 'request.probed' : isWhole ? 'request.handled' : 'request.cut_short';
      const { operation, job } = state;
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
        status,
        durationMs,
      });
      const refusal = operation?.refusal ?? (status === 401 ? 'Unauthorized' : undefined);
      if (refusal !== undefined) countRefused(ctx.ip, refusal);
      observation?.finish({ route: state.route, status });
    };
    res.on('close', () => (observation === undefined ? end() : observation.within(end)));
    return observation === undefined ? next() : observation.within(next);
  };
}

/**
 * Creates loggers with fields shared by many requests, so that these are serialized once. Method and path are included,
 * because nearly all requests have the same. The function returns undefined without shared fields.
 */
function sharedLoggers(logger: Logger) {
  const known = new WeakMap<SharedFields, { method: string; path: string | undefined; logger: Logger }>();
  return (shared: SharedFields | undefined, method: string, path: string | undefined): Logger | undefined => {
    if (shared === undefined) return undefined;
    const own = known.get(shared);
    if (own?.method === method && own.path === path) return own.logger;
    const made = logger.child({ method, path, ...shared });
    known.set(shared, { method, path, logger: made });
    return made;
  };
}
