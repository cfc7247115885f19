import type { ServiceCalls } from '../../../clients/backend-api.js';
import { BackendOutage, CallCutOffError, isTransient } from '../../../clients/call-errors.js';
import { describeError } from '../../../errors.js';
import type { Logger } from '../../../logging/logger.js';
import type { ReportVehicle } from '../../../reports/model.js';

export interface FoundVehicle {
  readonly vehicle: ReportVehicle | undefined;
  /** False if another attempt may find the vehicle. */
  readonly isFinal: boolean;
}

/** Pause of look-ups after an outage. A page does without its vehicle and must not wait for each. */
const PAUSE_MS = 10_000;

const NOT_HAD: FoundVehicle = { vehicle: undefined, isFinal: false };

/** Vehicles of one job, each looked up once. */
export class Vehicles {
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Mobiles of several drivers. The vehicles of others need not be remembered. */
  readonly #shared: ReadonlySet<string>;
  readonly #found = new Map<string, Promise<FoundVehicle>>();
  #pausedUntil = -Infinity;

  /**
   * @param mobileIds of all drivers of the job
   * @param now milliseconds that only grow; the system's by default
   */
  constructor(mobileIds: readonly string[], logger: Logger, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
    const seen = new Set<string>();
    this.#shared = new Set(mobileIds.filter((id) => seen.size === seen.add(id).size));
  }

  /**
   * Returns number and name of the vehicle with a mobile. Never throws, because a page without them is better than
   * none.
   */
  async find(mobileId: string, backend: Pick<ServiceCalls, 'getMobile'>): Promise<FoundVehicle> {
    const earlier = this.#found.get(mobileId);
    if (earlier !== undefined) return earlier;
    const found = this.#ask(mobileId, backend);
    if (this.#shared.has(mobileId)) this.#found.set(mobileId, found);
    return found;
  }

  async #ask(mobileId: string, backend: Pick<ServiceCalls, 'getMobile'>): Promise<FoundVehicle> {
    if (this.#now() < this.#pausedUntil) return NOT_HAD;
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
