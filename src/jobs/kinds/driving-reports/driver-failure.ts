import { BackendRefusal, ContractBreach } from '../../../clients/call-errors.js';
import type { FailureReason } from '../../../reports/model.js';
import { codeForCaller, describeForCaller, MAX_REASON } from '../item-error.js';
import { ERRORS, type ItemErrorCode } from '../../../error-table.js';

/** Reason why a driver has no page: for callers, and for the report, which has another language. */
export interface DriverFailure {
  readonly code: ItemErrorCode;
  readonly message: string;
  readonly reason: FailureReason;
  /** Message of the backend, in the language of the backend. */
  readonly detail?: string;
}

/** The time of the job was over before the data of the driver was fetched. */
export const NOT_FETCHED: DriverFailure = {
  code: ERRORS.NotFetched.item,
  message: ERRORS.NotFetched.text,
  reason: 'out of time',
};

/** The job was cancelled before the data of the driver was fetched. */
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
  // Without a refusal, only an id that cannot be part of a path is bad input.
  const usual = isRefusal && code === 'BadInput' ? 'refused' : REASONS[code];
  const reason = error instanceof ContractBreach ? 'unreadable' : usual;
  return { code, message, reason, ...(isRefusal && { detail: message }) };
}
