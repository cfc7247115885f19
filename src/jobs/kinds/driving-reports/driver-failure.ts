import { BackendRefusal, ContractBreach } from '../../../clients/call-errors.js';
import type { FailureReason } from '../../../reports/model.js';
import { codeForCaller, describeForCaller, MAX_REASON } from '../item-error.js';
import { ERRORS, type ItemErrorCode } from '../../../error-table.js';

/** Reason why a driver has no page: for callers, and for the report, which has its own language. */
export interface DriverFailure {
  readonly code: ItemErrorCode;
  readonly message: string;
  readonly reason: FailureReason;
  /** Backend's message, in its own language. */
  readonly detail?: string;
}

/** The time allowed for the job was over before the driver's turn came. */
export const NOT_FETCHED: DriverFailure = {
  code: ERRORS.NotFetched.item,
  message: ERRORS.NotFetched.text,
  reason: 'out of time',
};

/** The job was cancelled before the driver's turn came. */
export const NOT_BEGUN: DriverFailure = {
  code: ERRORS.NotBegun.item,
  message: ERRORS.NotBegun.text,
  reason: 'cancelled',
};

const REASONS: Readonly<Record<ItemErrorCode, FailureReason>> = {
  NotFound: 'not found',
  Forbidden: 'forbidden',
  BadInput: 'bad id',
  ServiceUnavailable: 'unavailable',
  InternalError: 'internal error',
  Cancelled: 'cancelled',
};

export function driverFailure(error: unknown): DriverFailure {
  const code = codeForCaller(error);
  const message = describeForCaller(error).slice(0, MAX_REASON);
  const isRefusal = error instanceof BackendRefusal;
  // Only ids that cannot be part of a path are refused here.
  const usual = isRefusal && code === 'BadInput' ? 'refused' : REASONS[code];
  const reason = error instanceof ContractBreach ? 'unreadable' : usual;
  return { code, message, reason, ...(isRefusal && { detail: message }) };
}
