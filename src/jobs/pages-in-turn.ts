import { TooManyRequestsError } from '../errors.js';

/** Pages of one organisation that may wait; as many as front ends of a busy one ask for at once. */
const MAX_WAITING = 100;
const RETRY_MS = 1_000;

/** Reads one page after another for each organisation, so that one that asks for many keeps only itself waiting. */
export class PagesInTurn {
  /** Of organisations that are being read for: the last one asked for, and how many there are. */
  readonly #queues = new Map<string, { last: Promise<unknown>; count: number }>();

  /** @throws {TooManyRequestsError} when too many wait already; nothing is read then */
  async read<T>(org: string, page: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(org) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > MAX_WAITING) throw new TooManyRequestsError('Lists of jobs are asked for too often.', RETRY_MS);
    this.#queues.set(org, queue);
    queue.count += 1;
    const reading = queue.last.then(page, page);
    queue.last = reading;
    try {
      return await reading;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(org);
    }
  }
}
