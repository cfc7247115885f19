import type { Context, Middleware } from 'koa';
import { causeOf, describeError, GatewayError } from '../errors.js';
import type { BodyFault } from '../jobs/body-faults.js';
import type { Logger } from '../logging/logger.js';
import type { GatewayState } from './request-log.js';
import { HttpProblem } from './http-problem.js';
import { RefusedCallback } from './signed-callbacks.js';

/** When a caller may come back after a failure that passes. */
const RETRY_AFTER_MS = 5_000;

/**
 * Texts of what the router leaves without a body, by status; 501 is for a method that nobody knows (RFC 9110, section
 * 15.6.2).
 */
export const UNANSWERED: Readonly<Record<number, string>> = {
  404: 'Not found',
  405: 'Method not allowed',
  501: 'Method not implemented',
};

interface ErrorBody {
  readonly message: string;
  readonly errors?: readonly BodyFault[];
}

/**
 * The one function that turns errors into REST output: `{ message }`, and for 400 the faults. The text of
 * unexpected errors goes to the log and never to the caller.
 *
 * @param answered is told of every answer that is still to be sent, errors included
 */
export function errorHandler(
  answered: (ctx: Context & { state: GatewayState }) => void = () => undefined,
): Middleware<GatewayState> {
  return (ctx, next) =>
    next().then(
      () => {
        if (ctx.res.headersSent) return;
        const message = UNANSWERED[ctx.status];
        if (message !== undefined && ctx.body === undefined) writeError(ctx, new HttpProblem(ctx.status, message));
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
  if (!(error instanceof HttpProblem)) logFailure(ctx.state.log, causeOf(error), status);
  if (error instanceof RefusedCallback) ctx.state.log.event('callback.refused', { reason: error.reason });
  ctx.status = status;
  ctx.body = body;
  if (retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
}

/** While a dependency is down every request says so: a line for each is enough. */
function logFailure(log: Logger, err: unknown, status: number): void {
  if (status === 503) log.event('request.refused', { status, reason: describeError(err) });
  else log.event('request.failed', { status, err });
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
  if (error instanceof GatewayError && error.code === 'ServiceUnavailable') {
    return { status: 503, body: { message: error.message }, retryAfterMs: RETRY_AFTER_MS };
  }
  return { status: 500, body: { message: 'Something went wrong on our side. Try again later.' } };
}
