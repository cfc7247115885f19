import type { JobFailure } from '../../../generated/graphql.js';
import { endedBy, inOwnWords, isRefusal, reasonOfRefusal, type CallError } from '../../clients/call-error.js';
import { describeError, ItemFailure, ServiceUnavailableError, undisturbing } from '../../base/errors.js';
import type { FailureOfItem } from '../record/job-failures.js';

/** Maximum length of the stored reason of a failed item or driver, in characters. */
export const MAX_REASON = 500;

export function reasonInDoubt({ details: { exists } }: CallError): 'RefusedInDoubt' | 'RefusedInDoubtExists' {
  return exists ? 'RefusedInDoubtExists' : 'RefusedInDoubt';
}

export type ShownFailure = Readonly<Pick<ItemFailure, 'code' | 'reason' | 'message' | 'values'>>;

/** Returns the failure of an item for callers; hides the text of unexpected errors. */
export function shownFailure(error: unknown): ShownFailure {
  const { code, reason, message, values } = itemFailureOf(error);
  return { code, reason, message, values };
}

function itemFailureOf(error: unknown): ItemFailure {
  if (isItemFailure(error)) return error;
  // The text does not ask for a retry, which would give the same result.
  if (endedBy(error, 'unreadable', 'redirected')) return new ItemFailure('UnreadableAnswer');
  if (isRefusal(error)) {
    const answer = error.details.answer.slice(0, MAX_REASON);
    return error.end === 'refused in doubt'
      ? new ItemFailure(reasonInDoubt(error), { backendText: answer.replace(/\.$/, '') })
      : new ItemFailure(reasonOfRefusal(error), { backendText: undisturbing(answer) });
  }
  if (error instanceof ServiceUnavailableError) return new ItemFailure('BackendUnavailable');
  return new ItemFailure('ItemFailed');
}

/** Returns the reason of a failed look-up for the log, in the words of the backend if it refused. */
export function lookUpFailure(error: unknown): string {
  return isRefusal(error) ? inOwnWords(error).message : describeError(error);
}

/** Narrows to the class with any reason; `instanceof` alone leaves its parameter open. */
function isItemFailure(error: unknown): error is ItemFailure {
  return error instanceof ItemFailure;
}

export function reasonOf(failure: Partial<FailureOfItem> = {}): Pick<JobFailure, 'reason' | 'values'> {
  return { reason: failure.reason ?? null, values: failure.values ?? {} };
}
