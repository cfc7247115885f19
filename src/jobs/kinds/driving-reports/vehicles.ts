import type { ServiceCalls } from '../../../clients/backend-api.js';
import { endedBy, meaningOf } from '../../../clients/call-error.js';
import type { Logger } from '../../../base/logging/logger.js';
import { type ReportVehicle, personOf, type ReportDriver } from '../../../reports/model.js';
import { lookUpFailure } from '../item-error.js';
import type { OptionalPart } from './optional-part.js';

/** An employee code on more mobiles is a placeholder, and no person. */
const MAX_MOBILES = 8;

export type EmployeeMobiles = ReturnType<typeof findEmployeeMobiles>;

/** Finds who drives what in a request: people with several mobiles, and mobiles with several people. */
export function findEmployeeMobiles(drivers: readonly ReportDriver[]) {
  const mobilesOf = new Map<string, Set<string>>();
  const peopleOf = new Map<string, Set<string>>();
  for (const driver of drivers) {
    const code = driver.employeeCode.trim();
    if (code !== '') addTo(mobilesOf, code, driver.mobileId);
    addTo(peopleOf, driver.mobileId, personOf(driver));
  }
  // Kept while the report is drawn, and most sets have one element.
  for (const sets of [mobilesOf, peopleOf]) {
    for (const [key, { size }] of sets) if (size === 1) sets.delete(key);
  }
  return {
    isShared: (mobileId: string): boolean => peopleOf.has(mobileId),
    /**
     * Returns the mobiles of the person of a driver, that of the driver first, whose trips are weighed together, and
     * whether the employee code is on too many to be one person. An empty employee code joins nobody.
     */
    of({ mobileId, employeeCode }: ReportDriver) {
      const mobiles = mobilesOf.get(employeeCode.trim()) ?? new Set();
      const isNoPerson = mobiles.size > MAX_MOBILES;
      return { mobileIds: isNoPerson ? [mobileId] : [...new Set([mobileId, ...mobiles])], isNoPerson };
    },
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

export interface FoundVehicle {
  readonly vehicle: ReportVehicle | undefined;
  /** False if another attempt may find the vehicle. */
  readonly isFinal: boolean;
}

export type BackendWithin = (signal: AbortSignal) => Pick<ServiceCalls, 'getMobile' | 'getDrivingRecord'>;

export type Vehicles = ReturnType<typeof vehiclesOf>;

/** Creates the look-up of the vehicles of one job, each of which is looked up once. @param mobileIds of all drivers */
export function vehiclesOf(mobileIds: readonly string[], part: OptionalPart, logger: Logger) {
  const seen = new Set<string>();
  /** Mobiles of several drivers. The vehicles of others need not be remembered. */
  const shared = new Set(mobileIds.filter((id) => seen.size === seen.add(id).size));
  const found = new Map<string, Promise<FoundVehicle>>();

  async function lookUp(mobileId: string, backendWithin: BackendWithin, signal: AbortSignal): Promise<FoundVehicle> {
    try {
      const { num, name } = await part.ask((ending) => backendWithin(ending).getMobile(mobileId), signal);
      return { vehicle: { num, name }, isFinal: true };
    } catch (error) {
      logger.event('report.vehicle_missing', { mobileId, reason: lookUpFailure(error) });
      return { vehicle: undefined, isFinal: meaningOf(error).isTransient !== true && !endedBy(error, 'cut off') };
    }
  }

  return {
    /** Returns number and name of the vehicle with a mobile. Never throws: a page without them is better than none. */
    find(mobileId: string, backendWithin: BackendWithin, signal: AbortSignal): Promise<FoundVehicle> {
      const vehicle = found.get(mobileId) ?? lookUp(mobileId, backendWithin, signal);
      if (shared.has(mobileId)) found.set(mobileId, vehicle);
      return vehicle;
    },
  };
}
