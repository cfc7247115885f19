import type { JobFailure } from '../../../generated/graphql.js';
import { BackendRefusal, ContractBreach } from '../../clients/call-errors.js';
import { ItemFailure, ServiceUnavailableError, undisturbing } from '../../base/errors.js';
import type { FailureOfItem } from '../record/job-failures.js';

/** Maximum length of the stored reason of a failed item or driver, in characters. */
export const MAX_REASON = 500;

/** Refusal of a repeated call, one of whose earlier tries may have had its effect. */
export class RefusalInDoubt extends BackendRefusal {
  constructor(
    { backend, httpStatus, code, answer }: BackendRefusal,
    readonly shownAs: 'RefusedInDoubt' | 'RefusedInDoubtExists' = 'RefusedInDoubt',
  ) {
    super(backend, httpStatus, code, answer);
  }
}

/** Failure of an item or a driver, for callers. */
export type ShownFailure = Readonly<Pick<ItemFailure, 'code' | 'reason' | 'message' | 'values'>>;

/** Returns the failure of an item for callers; hides the text of unexpected errors. */
export function shownFailure(error: unknown): ShownFailure {
  const { code, reason, message, values } = itemFailureOf(error);
  return { code, reason, message, values };
}

function itemFailureOf(error: unknown): ItemFailure {
  if (isItemFailure(error)) return error;
  // The text does not ask for a retry, which would give the same result.
  if (error instanceof ContractBreach) return new ItemFailure('UnreadableAnswer');
  if (error instanceof RefusalInDoubt) {
    const backendText = error.answer.slice(0, MAX_REASON).replace(/\.$/, '');
    return new ItemFailure(error.shownAs, { backendText });
  }
  if (error instanceof BackendRefusal) {
    return new ItemFailure(error.reason, { backendText: undisturbing(error.answer.slice(0, MAX_REASON)) });
  }
  if (error instanceof ServiceUnavailableError) return new ItemFailure('BackendUnavailable');
  return new ItemFailure('ItemFailed');
}

/** Narrows to the class with any reason; `instanceof` alone leaves its parameter open. */
function isItemFailure(error: unknown): error is ItemFailure {
  return error instanceof ItemFailure;
}

/** Returns the reason and the values of a failure for callers, from those that its record holds. */
export function reasonOf(failure: Partial<FailureOfItem> = {}): Pick<JobFailure, 'reason' | 'values'> {
  return { reason: failure.reason ?? null, values: failure.values ?? {} };
}
