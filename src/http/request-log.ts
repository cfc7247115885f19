import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { OperationNotes } from '../graphql/operation-notes.js';
import type { JobKind } from '../job-record/job-kinds.js';
import type { Logger } from '../logger.js';
import { readTarget } from './request-target.js';

/** What the line of a request says besides; filled in as it becomes known. */
export interface RequestNotes extends OperationNotes {
  kind?: JobKind;
  org?: string;
}

/** What every middleware may rely on. */
export interface GatewayState {
  readonly requestId: string;
  /** Logger that carries the request id, and what identifies the job of a callback once that is known. */
  log: Logger;
  readonly notes: RequestNotes;
  /** Path and query; undefined when the request has a target that is none. */
  readonly target: string | undefined;
}

/** Stands for a reply that nobody has received whole, as in the logs of nginx; HTTP has no such status. */
const CLIENT_CLOSED_REQUEST = 499;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Gives every request an id, the caller's `x-request-id` when it is well-formed, and logs one line when the
 * reply is complete, or the connection gone. Neither headers nor query nor bodies are logged: all of them can hold
 * secrets.
 */
export function requestLog(logger: Logger): Middleware<GatewayState> {
  return (ctx, next) => {
    const given = String(ctx.req.headers['x-request-id'] ?? '');
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    const log = logger.child({ requestId });
    const target = readTarget(ctx.req);
    const notes: RequestNotes = {};
    Object.assign(ctx.state, { requestId, log, notes, target } satisfies GatewayState);
    const {
      req: { method },
      res,
    } = ctx;
    res.setHeader('x-request-id', requestId);
    const path = target?.split('?', 1)[0];
    const isProbe = path?.includes('/health/') === true;
    const startedAt = performance.now();
    // Outside the middleware: what throws here ends the process, so nothing of the request is read any more.
    res.once('close', () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const isWhole = res.writableFinished;
      const status = isWhole ? res.statusCode : CLIENT_CLOSED_REQUEST;
      const event = isProbe ? 'request.probed' : isWhole ? 'request.handled' : 'request.cut_short';
      logger.event(event, { requestId, method, path, ...notes, status, durationMs });
    });
    return next();
  };
}
