import { isPromise } from '@envelop/core';
import { GraphQLError, type ExecutionResult } from 'graphql';
import { GatewayError } from '../../errors.js';
import type { Execute, ExecutionContext } from '../execution/compiled-execution.js';

/** How much later than its operation a call to a backend is cut off, so that the operation names the limit. */
const CUT_OFF_MS = 100;

/**
 * Ends operations that take too long, and soon afterwards the calls they have under way.
 *
 * @param timeoutMs longest execution, authentication included
 */
export function withinTime(execute: Execute, timeoutMs: number): Execute {
  return (args) => {
    const result = execute(args);
    return isPromise(result) ? inTime(result, timeoutMs, args.contextValue) : result;
  };
}

function inTime(
  result: Promise<ExecutionResult>,
  timeoutMs: number,
  { cutOff }: ExecutionContext,
): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = timeoutError(timeoutMs);
      resolve({ errors: [error] });
      setTimeout(() => cutOff?.abort(error), CUT_OFF_MS).unref();
    }, timeoutMs);
    void result.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

function timeoutError(timeoutMs: number): GraphQLError {
  const message = `The operation took longer than ${timeoutMs / 1000} s. Try again later.`;
  // People read the message; whoever can change the limit reads the log.
  const cause = new Error('the operation took longer than REQUEST_TIMEOUT_SECONDS');
  return new GraphQLError(message, { originalError: new GatewayError('ServiceUnavailable', message, { cause }) });
}
