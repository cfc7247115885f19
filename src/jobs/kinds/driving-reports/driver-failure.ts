import { BackendRefusal, ContractBreach } from '../../../clients/call-errors.js';
import type { FailureReason } from '../../../reports/model.js';
import { codeForCaller, describeForCaller, MAX_REASON } from '../item-error.js';
import { NOT_DONE } from '../../job.js';

type ErrorCode = ReturnType<typeof codeForCaller>;

/** Reason why a driver has no page: for callers, and for the report, which has its own language. */
export interface DriverFailure {
  readonly code: ErrorCode | 'Cancelled';
  readonly message: string;
  readonly reason: FailureReason;
  /** Backend's message, in its own language. */
  readonly detail?: string;
}

/** The time allowed for the job was over before the driver's turn came. */
export const NOT_FETCHED: DriverFailure = {
  code: 'ServiceUnavailable',
  message: 'not fetched, the time allowed for the job was over',
  reason: 'out of time',
};

/** The job was cancelled before the driver's turn came. */
export const NOT_BEGUN: DriverFailure = { code: 'Cancelled', message: NOT_DONE, reason: 'cancelled' };

const REASONS: Readonly<Record<ErrorCode, FailureReason>> = {
  NotFound: 'not found',
  Forbidden: 'forbidden',
  BadInput: 'bad id',
  ServiceUnavailable: 'unavailable',
  InternalError: 'internal error',
};

/** Converts an error to a driver's failure. */
export function driverFailure(error: unknown): DriverFailure {
  const code = codeForCaller(error);
  const message = describeForCaller(error).slice(0, MAX_REASON);
  const isRefusal = error instanceof BackendRefusal;
  // Only ids that cannot be part of a path are refused here.
  const usual = isRefusal && code === 'BadInput' ? 'refused' : REASONS[code];
  const reason = error instanceof ContractBreach ? 'unreadable' : usual;
  return { code, message, reason, ...(isRefusal && { detail: message }) };
}
