import type { ServiceCalls } from '../../../clients/backend-api.js';
import { BackendOutage, CallCutOffError, isTransient } from '../../../clients/call-errors.js';
import { describeError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import type { ReportVehicle } from '../../../reports/model.js';

export interface FoundVehicle {
  readonly vehicle: ReportVehicle | undefined;
  /** False if another attempt may find the vehicle. */
  readonly isFinal: boolean;
}

/** Pause of look-ups after an outage. A page does without its vehicle and must not wait for each. */
const PAUSE_MS = 10_000;

/** Look-up of the vehicles of one job, each of which is looked up once. */
export class Vehicles {
  /** Mobiles of several drivers. The vehicles of others need not be remembered. */
  readonly #shared: ReadonlySet<string>;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #found = new Map<string, Promise<FoundVehicle>>();
  #pausedUntil = -Infinity;

  /**
   * @param mobileIds of all drivers of the job
   * @param now milliseconds that only grow; the system's by default
   */
  constructor(mobileIds: readonly string[], logger: Logger, now = () => performance.now()) {
    const seen = new Set<string>();
    this.#shared = new Set(mobileIds.filter((id) => seen.size === seen.add(id).size));
    this.#logger = logger;
    this.#now = now;
  }

  /** Returns number and name of the vehicle with a mobile. Never throws: a page without them is better than none. */
  find(mobileId: string, backend: Pick<ServiceCalls, 'getMobile'>): Promise<FoundVehicle> {
    const vehicle = this.#found.get(mobileId) ?? this.#ask(mobileId, backend);
    if (this.#shared.has(mobileId)) this.#found.set(mobileId, vehicle);
    return vehicle;
  }

  async #ask(mobileId: string, backend: Pick<ServiceCalls, 'getMobile'>): Promise<FoundVehicle> {
    if (this.#now() < this.#pausedUntil) return { vehicle: undefined, isFinal: false };
    try {
      const { num, name } = await backend.getMobile(mobileId);
      return { vehicle: { num, name }, isFinal: true };
    } catch (error) {
      this.#logger.event('report.vehicle_missing', { mobileId, reason: describeError(error) });
      if (error instanceof BackendOutage) this.#pausedUntil = this.#now() + PAUSE_MS;
      return { vehicle: undefined, isFinal: !isTransient(error) && !(error instanceof CallCutOffError) };
    }
  }
}
