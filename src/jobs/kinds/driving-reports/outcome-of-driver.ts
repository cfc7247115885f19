import type { components } from '../../../../generated/gateway.js';
import type { BackendApi } from '../../../clients/backend-api.js';
import { endedBy, isRefusal } from '../../../clients/call-error.js';
import type { DayOutcome, FailedDay, FailureReason } from '../../../reports/model.js';
import { ReportRenderError } from '../../../reports/render/render-session.js';
import { beforeClosing, JobCancelledError, JobStoppedError, serviceOf, type JobExecution } from '../../job.js';
import { fetchDriverDay, type FetchedDay, type DriverDaySources } from './fetch-driver-day.js';
import type { EmployeeMobiles } from './vehicles.js';
import type { DaysOfJob, KeptDay } from './kept-days.js';
import type { ItemErrorCode } from '../../../base/error-table.js';
import { ItemFailure } from '../../../base/errors.js';
import { shownFailure, type ShownFailure } from '../item-error.js';

/** Reason why a driver has no page: for callers, and for the report, which has another language. */
interface DriverFailure {
  readonly failure: ShownFailure;
  readonly reason: FailureReason;
  /** Message of the backend, in the language of the backend. */
  readonly detail?: string;
}

export const NOT_FETCHED: DriverFailure = {
  failure: shownFailure(new ItemFailure('NotFetched')),
  reason: 'out of time',
};

export const NOT_BEGUN: DriverFailure = { failure: shownFailure(new ItemFailure('NotBegun')), reason: 'cancelled' };

const REASONS: Readonly<Record<ItemErrorCode, FailureReason>> = {
  NotFound: 'not found',
  Forbidden: 'forbidden',
  BadInput: 'bad id',
  ServiceUnavailable: 'unavailable',
  InternalError: 'internal error',
  Cancelled: 'cancelled',
};

const NOT_OF_A_DAY: DriverFailure = { failure: shownFailure(new ItemFailure('DayNotBegun')), reason: 'day not begun' };

export function driverFailure(error: unknown): DriverFailure {
  const failure = shownFailure(error);
  const isRefused = isRefusal(error);
  // Without a refusal, only an id that cannot be part of a path is bad input.
  const usual = isRefused && failure.code === 'BadInput' ? 'refused' : REASONS[failure.code];
  const reason = endedBy(error, 'unreadable', 'redirected') ? 'unreadable' : usual;
  return { failure, reason, ...(isRefused && { detail: failure.message }) };
}

type Driver = components['schemas']['Driver'];

export interface OutcomeSources extends Pick<
  DriverDaySources,
  'geoApi' | 'addresses' | 'vehicles' | 'weighedTrips' | 'readEnds' | 'weighedEmployees'
> {
  readonly employeeMobiles: EmployeeMobiles;
  readonly backendApi: BackendApi;
  /** True if the day begins too long after the order. */
  readonly isTooEarly: boolean;
  readonly days: DaysOfJob;
}

export type FailedDriver = FailedDay & Pick<DriverFailure, 'failure'>;

export type OutcomeOfDriver = DayOutcome | FailedDriver;

/**
 * Fetches the day of a driver, or takes the one that an earlier attempt fetched.
 *
 * @param span start and end of the day
 * @throws {JobStoppedError} when the job stops, whatever the driver; also the abort reason of its signal
 * @throws {ReportRenderError} when the report is not drawn any more
 * @throws {CallError} `key refused`, which is not the failure of a driver
 */
export async function outcomeOfDriver(
  driver: Driver,
  span: { readonly from: string; readonly to: string },
  execution: JobExecution,
  { backendApi, days, employeeMobiles, isTooEarly, ...shared }: OutcomeSources,
): Promise<OutcomeOfDriver> {
  // The trips of a day depend on the mobile, and those that are weighed on the person.
  const key = JSON.stringify([driver.mobileId, driver.employeeCode]);
  const kept = days.get(key);
  if (kept !== undefined) return dayOf(driver, kept, employeeMobiles);
  const failedBy = (failure: DriverFailure): OutcomeOfDriver => ({ kind: 'failed', driver, ...failure });
  if (isTooEarly) return failedBy(NOT_OF_A_DAY);
  if (execution.deadline.aborted) return failedBy(NOT_FETCHED);
  if (execution.cancelled.aborted) return failedBy(NOT_BEGUN);
  try {
    // After the deadline only the upload may take time.
    const day = await beforeClosing(execution, 0, (signal) => {
      const caller = { ...serviceOf(execution), signal };
      const backendWithin = (within: AbortSignal) => backendApi.asService({ ...caller, signal: within });
      const sources = { ...shared, ...caller, backend: backendApi.asService(caller), backendWithin };
      return execution.patience.run(() => fetchDriverDay(driver, span, sources));
    });
    execution.signal.throwIfAborted();
    if (day.isWhole) days.put(key, day);
    return dayOf(driver, day, employeeMobiles);
  } catch (error) {
    execution.signal.throwIfAborted();
    if (error instanceof JobStoppedError || endedBy(error, 'key refused') || error instanceof ReportRenderError)
      throw error;
    if (endedBy(error, 'cut off')) return failedBy(NOT_FETCHED);
    if (error instanceof JobCancelledError) return failedBy(NOT_BEGUN);
    const failed = driverFailure(error);
    if (failed.failure.code === 'InternalError')
      execution.log.event('job.driver_failed', { err: error, mobileId: driver.mobileId });
    return failedBy(failed);
  }
}

/** @param day a day that was kept is complete */
function dayOf(
  driver: Driver,
  { trips, sent, vehicle, weighed, hasAddresses = true }: KeptDay & Partial<FetchedDay>,
  employeeMobiles: EmployeeMobiles,
): OutcomeOfDriver {
  return {
    kind: 'day',
    driver: { ...driver, vehicle },
    trips,
    sent,
    addressesMissing: !hasAddresses,
    isShared: employeeMobiles.isShared(driver.mobileId),
    weighed,
  };
}
