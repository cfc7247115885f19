import type { JobFailure } from '../../../generated/graphql.js';
import { BackendRefusal, ContractBreach } from '../../clients/call-errors.js';
import { textOf, type ItemErrorCode } from '../../error-table.js';
import { GatewayError, ItemFailure } from '../../errors.js';
import type { NotedReason } from '../../job-record/job-record.js';

/** Maximum length of the stored reason of a failed item or driver, in characters. */
export const MAX_REASON = 500;

/** Returns the reason of a failed item for callers; hides the text of unexpected errors. */
export function describeForCaller(error: unknown): string {
  // The text does not ask for a retry, which would give the same result.
  if (error instanceof ContractBreach) return textOf('UnreadableAnswer');
  if (error instanceof BackendRefusal) return error.answer;
  return error instanceof GatewayError || error instanceof ItemFailure ? error.message : textOf('ItemFailed');
}

export function codeForCaller(error: unknown): ItemErrorCode {
  if (error instanceof ItemFailure) return error.code;
  if (!(error instanceof GatewayError)) return 'InternalError';
  switch (error.code) {
    case 'NotFound':
    case 'Forbidden':
    case 'BadInput':
    case 'ServiceUnavailable':
      return error.code;
    case 'TooManyRequests':
      return 'ServiceUnavailable';
    case 'UnAuthenticated':
    case 'InvalidCredentials':
    case 'InternalError':
      return 'InternalError';
  }
}

/** Returns the reason and the values of a failure for callers, from those that its record holds. */
export function reasonOf([reason, values]: NotedReason = [null, {}]): Pick<JobFailure, 'reason' | 'values'> {
  return { reason, values };
}
