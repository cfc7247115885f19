import type { Middleware } from 'koa';
import { ERRORS } from '../../base/error-table.js';
import { causeOf, describeOutage, ServiceUnavailableError } from '../../base/errors.js';
import type { GatewayState, HttpContext } from './request-log.js';
import { HttpProblem, type ProblemDetails } from './http-problem.js';
import { RefusedCallback } from './signed-callbacks.js';

/** Time after which a caller may retry a transient failure, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Errors for statuses that the router sets without a body; 501 is for unknown methods (RFC 9110, section 15.6.2). */
export const UNANSWERED: Readonly<Record<number, 'NotFound' | 'MethodNotAllowed' | 'MethodUnknown'>> = {
  404: 'NotFound',
  405: 'MethodNotAllowed',
  501: 'MethodUnknown',
};

/**
 * Creates the middleware that turns errors into REST output. The text of unexpected errors goes to the log alone.
 *
 * @param answered called for every unsent answer, errors included
 */
export function errorHandler(answered: (ctx: HttpContext) => void = () => undefined): Middleware<GatewayState> {
  return (ctx, next) =>
    next().then(
      () => {
        if (ctx.res.headersSent) return;
        const reason = UNANSWERED[ctx.status];
        if (reason !== undefined && ctx.body === undefined) writeError(ctx, new HttpProblem(reason));
        answered(ctx);
      },
      (error: unknown) => {
        writeError(ctx, error);
        answered(ctx);
      },
    );
}

function writeError(ctx: HttpContext, error: unknown): void {
  const { log } = ctx.state;
  const answer = (status: number, message: string, { errors, retryAfterMs }: ProblemDetails = {}): void => {
    ctx.status = status;
    ctx.body = { message, errors };
    if (retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  };
  if (error instanceof HttpProblem) {
    const { status, message, details } = error;
    if (error instanceof RefusedCallback) log.event('callback.refused', { reason: error.why });
    answer(status, message, details);
  } else if (error instanceof ServiceUnavailableError) {
    const { status, message } = error;
    // Without a stack, because every request fails so while a dependency is down.
    log.event('request.refused', { status, reason: describeOutage(error) });
    answer(status, message, { retryAfterMs: RETRY_AFTER_MS });
  } else {
    const { status, text: message } = ERRORS.InternalError;
    log.event('request.failed', { status, err: causeOf(error) });
    answer(status, message);
  }
}
