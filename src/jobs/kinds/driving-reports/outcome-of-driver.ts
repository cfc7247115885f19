import type { components } from '../../../../generated/gateway.js';
import type { BackendApi } from '../../../clients/backend-api.js';
import { CallCutOffError, KeyRefusedError } from '../../../clients/call-errors.js';
import type { GeoApi } from '../../../clients/geo-api.js';
import type { DriverOutcome } from '../../../reports/model.js';
import { beforeClosing } from '../closing-time.js';
import { driverFailure, NOT_BEGUN, NOT_FETCHED, type DriverFailure } from './driver-failure.js';
import { fetchDriverDay, type DriverDay } from './fetch-driver-day.js';
import { JobCancelledError, JobStoppedError, serviceOf, type JobExecution } from '../../job.js';
import type { Patience } from '../../run/patience.js';
import type { DaysOfJob, KeptDay } from './kept-days.js';
import type { Vehicles } from './vehicles.js';

type Driver = components['schemas']['Driver'];

/** Sources of a driver's outcome. */
export interface OutcomeSources {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  /** Days that earlier attempts fetched. */
  readonly days: DaysOfJob;
  readonly vehicles: Vehicles;
  /** Short patience with geo-api: a report without addresses is better than none. */
  readonly patienceWithGeoApi: Patience;
}

/** Outcome of a driver; without a page also the error for callers. */
export type OutcomeOfDriver =
  | Extract<DriverOutcome, { kind: 'day' }>
  | (Extract<DriverOutcome, { kind: 'failed' }> & Pick<DriverFailure, 'code' | 'message'>);

/**
 * Fetches the day of a driver, or takes the one that an earlier attempt fetched.
 *
 * @param span start and end of the day
 * @throws {JobStoppedError} the job stops, independent of this driver; also the abort reason of its signal
 * @throws {KeyRefusedError} our own key is refused, which is no driver's failure
 */
export async function outcomeOfDriver(
  driver: Driver,
  span: { readonly from: string; readonly to: string },
  execution: JobExecution,
  { backendApi, geoApi, days, vehicles, patienceWithGeoApi }: OutcomeSources,
): Promise<OutcomeOfDriver> {
  const kept = days.get(driver.mobileId);
  if (kept !== undefined) return dayOf(driver, kept);
  if (execution.deadline.aborted) return { kind: 'failed', driver, ...NOT_FETCHED };
  if (execution.cancelled.aborted) return { kind: 'failed', driver, ...NOT_BEGUN };
  try {
    const { org } = execution.job;
    const { log } = execution;
    // After the deadline only the upload has time left.
    const day = await beforeClosing(execution, 0, (signal) => {
      const sources = {
        backend: backendApi.asService({ ...serviceOf(execution), signal }),
        geoApi,
        patienceWithGeoApi,
        vehicles,
        log,
        org,
        signal,
      };
      return execution.patience.run(() => fetchDriverDay(driver.mobileId, span, sources));
    });
    execution.signal.throwIfAborted();
    if (day.isWhole) days.put(driver.mobileId, day);
    return dayOf(driver, day);
  } catch (error) {
    execution.signal.throwIfAborted();
    if (error instanceof JobStoppedError || error instanceof KeyRefusedError) throw error;
    if (error instanceof CallCutOffError) return { kind: 'failed', driver, ...NOT_FETCHED };
    if (error instanceof JobCancelledError) return { kind: 'failed', driver, ...NOT_BEGUN };
    const failure = driverFailure(error);
    const { code } = failure;
    if (code === 'InternalError') execution.log.event('job.driver_failed', { err: error, mobileId: driver.mobileId });
    return { kind: 'failed', driver, ...failure };
  }
}

/** @param day a kept one is whole */
function dayOf(driver: Driver, { trips, vehicle, hasAddresses = true }: KeptDay & Partial<DriverDay>): OutcomeOfDriver {
  return { kind: 'day', driver: { ...driver, vehicle }, trips, addressesMissing: !hasAddresses };
}
