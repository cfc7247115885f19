import { GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { GatewayError } from '../errors.js';
import type { RequestContext } from './context.js';

/** How much later than its operation a call to a backend is cut off, so that the operation names the limit. */
const CUT_OFF_MS = 100;

/**
 * Ends operations that take too long, and soon afterwards the calls they have under way.
 *
 * @param timeoutMs longest execution, authentication included
 */
export function timeLimit(timeoutMs: number): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args: ExecutionArgs) => {
        const result = executeFn(args) as ExecutionResult | Promise<ExecutionResult>; // `any` by the plugin interface
        if (!(result instanceof Promise)) return result;
        return inTime(result, timeoutMs, args.contextValue as RequestContext); // every context comes from a door
      });
    },
  };
}

async function inTime(
  result: Promise<ExecutionResult>,
  timeoutMs: number,
  { cutOff }: RequestContext,
): Promise<ExecutionResult> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<ExecutionResult>((resolve) => {
    timer = setTimeout(() => {
      const error = timeoutError(timeoutMs);
      resolve({ errors: [error] });
      setTimeout(() => cutOff.abort(error), CUT_OFF_MS).unref();
    }, timeoutMs);
  });
  try {
    return await Promise.race([result, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutError(timeoutMs: number): GraphQLError {
  const message = `The operation took longer than ${timeoutMs / 1000} s. Try again later.`;
  // People read the message; whoever can change the limit reads the log.
  const cause = new Error('the operation took longer than REQUEST_TIMEOUT_SECONDS');
  return new GraphQLError(message, { originalError: new GatewayError('ServiceUnavailable', message, { cause }) });
}
