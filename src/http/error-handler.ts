import type { Context, Middleware } from 'koa';
import { ERRORS } from '../error-table.js';
import { causeOf, describeOutage, ServiceUnavailableError } from '../errors.js';
import type { BodyFault } from '../jobs/body-faults.js';
import type { Logger } from '../logging/logger.js';
import type { GatewayState } from './request-log.js';
import { HttpProblem } from './http-problem.js';
import { RefusedCallback } from './signed-callbacks.js';

/** Time after which a caller may retry a transient failure, in milliseconds. */
const RETRY_AFTER_MS = 5_000;

/** Answers that the router leaves without a body, by status; 501 is for unknown methods (RFC 9110, section 15.6.2). */
export const UNANSWERED: Readonly<Record<number, 'NotFound' | 'MethodNotAllowed' | 'MethodUnknown'>> = {
  404: 'NotFound',
  405: 'MethodNotAllowed',
  501: 'MethodUnknown',
};

interface ErrorBody {
  readonly message: string;
  readonly errors?: readonly BodyFault[];
}

/**
 * Turns errors into REST output, as the only function: `{ message }`, and for 400 the faults. The text of unexpected
 * errors goes to the log and never to the caller.
 *
 * @param answered called for every unsent answer, errors included
 */
export function errorHandler(
  answered: (ctx: Context & { state: GatewayState }) => void = () => undefined,
): Middleware<GatewayState> {
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

function writeError(ctx: Context & { state: GatewayState }, error: unknown): void {
  const { status, body, retryAfterMs } = problemOf(error);
  if (!(error instanceof HttpProblem)) logFailure(ctx.state.log, error, status);
  if (error instanceof RefusedCallback) ctx.state.log.event('callback.refused', { reason: error.why });
  ctx.status = status;
  ctx.body = body;
  if (retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
}

/** Logs one line for a 503, because every request fails so while a dependency is down. */
function logFailure(log: Logger, error: unknown, status: number): void {
  if (status === 503) log.event('request.refused', { status, reason: describeOutage(error) });
  else log.event('request.failed', { status, err: causeOf(error) });
}

function problemOf(error: unknown): { status: number; body: ErrorBody; retryAfterMs?: number } {
  if (error instanceof HttpProblem) {
    const { errors, retryAfterMs } = error.details;
    return {
      status: error.status,
      body: { message: error.message, ...(errors && { errors }) },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  if (error instanceof ServiceUnavailableError) {
    return { status: error.status, body: { message: error.message }, retryAfterMs: RETRY_AFTER_MS };
  }
  return { status: ERRORS.InternalError.status, body: { message: ERRORS.InternalError.text } };
}
