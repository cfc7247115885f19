import { setTimeout } from 'node:timers/promises';
import { median } from './section.js';

/** A read that takes longer than this many times what it usually takes: somebody else uses the cache. */
const MAX_DISTURBANCE = 1.15;
const MAX_ATTEMPTS = 4;
const LOOK_AGAIN_MS = 50;
/** What is usual has to be known before anything can be judged. */
const FIRST_LOOKS = 20;

/** Looks at a core: how long a read within its cache takes, in any unit. */
export type Look = () => Promise<number>;

/** What became of measurements, in all. */
export interface Quietness {
  readonly measurements: number;
  /** How many of them were made again, because somebody else was at work before or after. */
  readonly repeated: number;
  /** Of how many nothing better was to be had. */
  readonly disturbed: number;
}

/**
 * Has measurements wait while others use the machine, and be made again when they did. Whether they do is read off the
 * cores by themselves, and never off what is measured, so that no figure is preferred to another. All waiting together
 * has an end: beyond it, things are measured as they come.
 */
export class QuietMachine {
  readonly #cores: readonly Core[];
  #patienceMs: number;
  #measurements = 0;
  #repeated = 0;
  #disturbed = 0;

  /** @param looks one for each core @param patienceMs how long may be waited and measured again, in all */
  constructor(looks: readonly Look[], patienceMs: number) {
    this.#cores = looks.map((look) => new Core(look));
    this.#patienceMs = patienceMs;
  }

  get quietness(): Quietness {
    return { measurements: this.#measurements, repeated: this.#repeated, disturbed: this.#disturbed };
  }

  /** @returns what was measured when it was quiet, or else quietest @throws {unknown} what measuring throws */
  async measure<T>(run: () => Promise<T>): Promise<T> {
    let best = await this.#attempt(run);
    this.#measurements += 1;
    for (let attempt = 1; !best.isQuiet && attempt < MAX_ATTEMPTS && this.#patienceMs > 0; attempt += 1) {
      if (attempt === 1) this.#repeated += 1;
      const again = await this.#patiently(() => this.#attempt(run));
      if (again.disturbance < best.disturbance) best = again;
    }
    if (!best.isQuiet) this.#disturbed += 1;
    return best.value;
  }

  async #attempt<T>(run: () => Promise<T>): Promise<Attempt<T>> {
    const before = await this.#whenQuiet();
    const value = await run();
    const disturbance = Math.max(before, await this.#disturbance());
    return { value, disturbance, isQuiet: disturbance <= MAX_DISTURBANCE };
  }

  /** @returns how disturbed it still is when there is no patience left */
  async #whenQuiet(): Promise<number> {
    let disturbance = await this.#disturbance();
    while (disturbance > MAX_DISTURBANCE && this.#patienceMs > 0) {
      disturbance = await this.#patiently(async () => {
        await setTimeout(LOOK_AGAIN_MS);
        return this.#disturbance();
      });
    }
    return disturbance;
  }

  async #disturbance(): Promise<number> {
    return Math.max(...(await Promise.all(this.#cores.map((core) => core.disturbance()))));
  }

  async #patiently<T>(wait: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await wait();
    } finally {
      this.#patienceMs -= performance.now() - startedAt;
    }
  }
}

interface Attempt<T> {
  readonly value: T;
  readonly disturbance: number;
  readonly isQuiet: boolean;
}

/** What is usual on a core is learnt from all looks at it, so that a machine that is never quiet is so by its own measure. */
class Core {
  readonly #look: Look;
  readonly #seen: number[] = [];

  constructor(look: Look) {
    this.#look = look;
  }

  async disturbance(): Promise<number> {
    while (this.#seen.length < FIRST_LOOKS) this.#seen.push(await this.#look());
    const now = await this.#look();
    this.#seen.push(now);
    return now / usualOf(this.#seen);
  }
}

/** The middle one of the lower half: nothing makes a read quicker than it is when nobody else is there. */
function usualOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return median(sorted.slice(0, Math.ceil(sorted.length / 2)));
}
