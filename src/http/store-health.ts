import { ServiceUnavailableError } from '../errors.js';
import type { StoreProbe } from '../objects/store-probe.js';

/** How often, in milliseconds, a store that fails nobody is written to; otherwise it only has to answer. */
const WRITE_EVERY_MS = 15_000;

/**
 * Whether a store can be used. One that failed somebody, or could not be written to, is written to at every check,
 * until it can. A store that hangs is asked once, however many checks come meanwhile.
 */
export class StoreHealth {
  readonly #probe: StoreProbe;
  #underWay: Promise<void> | undefined;
  #writtenAt = -Infinity;

  constructor(probe: StoreProbe) {
    this.#probe = probe;
  }

  /**
   * @param timeoutMs longest wait
   * @throws {Error} it cannot be used, or does not answer in time; the message says why
   */
  async check(timeoutMs: number): Promise<void> {
    const asked = (this.#underWay ??= this.#ask().finally(() => (this.#underWay = undefined)));
    // When nobody waits for it any more, its failure is nobody's.
    asked.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const cause = new Error(`no answer within ${timeoutMs} ms`);
      timer = setTimeout(() => reject(new ServiceUnavailableError('The store', { cause })), timeoutMs);
    });
    try {
      await Promise.race([asked, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(): Promise<void> {
    if (!this.#probe.isInDoubt() && performance.now() < this.#writtenAt + WRITE_EVERY_MS) {
      await this.#probe.ping();
      return;
    }
    this.#writtenAt = -Infinity;
    await this.#probe.write();
    this.#writtenAt = performance.now();
  }
}
