import type { ServiceCalls } from '../../../clients/backend-api.js';
import { BackendOutage } from '../../../clients/call-errors.js';
import { describeError } from '../../../errors.js';
import type { Logger } from '../../../logging/logger.js';
import type { ReportVehicle } from '../../../reports/model.js';

/** Pause of look-ups after an outage: pages do without vehicles, and must not wait for them one by one. */
const PAUSE_MS = 10_000;

/** Vehicles of one job, each looked up once. */
export class Vehicles {
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Mobiles shared by several drivers; others need not be remembered. */
  readonly #shared: ReadonlySet<string>;
  readonly #found = new Map<string, Promise<ReportVehicle | undefined>>();
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

  /** Returns number and name of the vehicle with a mobile. Never throws: a page without them is better than none. */
  async find(mobileId: string, backend: Pick<ServiceCalls, 'getMobile'>): Promise<ReportVehicle | undefined> {
    const earlier = this.#found.get(mobileId);
    if (earlier !== undefined) return earlier;
    const found = this.#ask(mobileId, backend);
    if (this.#shared.has(mobileId)) this.#found.set(mobileId, found);
    return found;
  }

  async #ask(mobileId: string, backend: Pick<ServiceCalls, 'getMobile'>): Promise<ReportVehicle | undefined> {
    if (this.#now() < this.#pausedUntil) return undefined;
    try {
      const { num, name } = await backend.getMobile(mobileId);
      return { num, name };
    } catch (error) {
      this.#logger.event('report.vehicle_missing', { mobileId, reason: describeError(error) });
      if (error instanceof BackendOutage) this.#pausedUntil = this.#now() + PAUSE_MS;
      return undefined;
    }
  }
}
