import { isPromise } from '@envelop/core';
import { OperationTypeNode, type ExecutionResult } from 'graphql';
import { GatewayError } from '../../../base/errors.js';
import { answerSoFar, type Execute } from './compiled-execution.js';

/** Longest wait at the time limit for a job that is being submitted or cancelled, in milliseconds. */
const WRITE_MS = 2_000;

/**
 * Ends operations that exceed the time limit. Their root fields that have ended are answered, and nothing begins from
 * then on.
 *
 * @param timeoutMs longest execution including authentication, in milliseconds
 */
export function withinTime(execute: Execute, timeoutMs: number): Execute {
  return (args) => {
    const result = execute(args);
    return isPromise(result) ? inTime(result, timeoutMs, args) : result;
  };
}

type Args = Parameters<Execute>[0];

function inTime(result: Promise<ExecutionResult>, timeoutMs: number, args: Args): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void end(args, timeoutMs).then(resolve, reject), timeoutMs);
    void result.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

async function end(args: Args, timeoutMs: number): Promise<ExecutionResult> {
  const { cutOff } = args.contextValue;
  await cutOff?.end(WRITE_MS);
  // Users read the message; operators, who can change the limit, read the log.
  const cause = new Error('the operation took longer than REQUEST_TIMEOUT_SECONDS');
  const seconds = timeoutMs / 1000;
  const timeout = new GatewayError('OperationTimeout', { seconds }, { cause });
  const unknown = new GatewayError('OutcomeUnknown', { seconds }, { cause });
  const notStarted = new GatewayError('NotStarted', {}, { cause });
  const answer = await answerSoFar(args, (operation, field) => {
    if (operation !== OperationTypeNode.MUTATION) return timeout;
    return cutOff?.hasBegun(field) === true ? unknown : notStarted;
  });
  // Aborted later than answered, because a field whose calls are aborted would count as ended.
  cutOff?.abort(timeout);
  return answer;
}
