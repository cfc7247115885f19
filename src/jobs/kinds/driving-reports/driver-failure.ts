import { BackendRefusal, ContractBreach } from '../../../clients/call-errors.js';
import type { ItemErrorCode } from '../../../base/error-table.js';
import { ItemFailure } from '../../../base/errors.js';
import type { FailureReason } from '../../../reports/model.js';
import { shownFailure, type ShownFailure } from '../item-error.js';

/** Reason why a driver has no page: for callers, and for the report, which has another language. */
export interface DriverFailure {
  readonly failure: ShownFailure;
  readonly reason: FailureReason;
  /** Message of the backend, in the language of the backend. */
  readonly detail?: string;
}

/** The time of the job was over before the data of the driver was fetched. */
export const NOT_FETCHED: DriverFailure = {
  failure: shownFailure(new ItemFailure('NotFetched')),
  reason: 'out of time',
};

/** The job was cancelled before the data of the driver was fetched. */
export const NOT_BEGUN: DriverFailure = { failure: shownFailure(new ItemFailure('NotBegun')), reason: 'cancelled' };

const REASONS: Readonly<Record<ItemErrorCode, FailureReason>> = {
  NotFound: 'not found',
  Forbidden: 'forbidden',
  BadInput: 'bad id',
  ServiceUnavailable: 'unavailable',
  InternalError: 'internal error',
  Cancelled: 'cancelled',
};

export function driverFailure(error: unknown): DriverFailure {
  const failure = shownFailure(error);
  const isRefusal = error instanceof BackendRefusal;
  // Without a refusal, only an id that cannot be part of a path is bad input.
  const usual = isRefusal && failure.code === 'BadInput' ? 'refused' : REASONS[failure.code];
  const reason = error instanceof ContractBreach ? 'unreadable' : usual;
  return { failure, reason, ...(isRefusal && { detail: failure.message }) };
}
