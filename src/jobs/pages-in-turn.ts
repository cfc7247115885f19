import { TooManyRequestsError } from '../errors.js';

/** Maximum number of waiting pages of one organisation; as many as front ends of a busy one request at once. */
const MAX_WAITING = 100;
const RETRY_MS = 1_000;

/** Reads one page at a time for each organisation, so that many requests of one delay only itself. */
export class PagesInTurn {
  /** Last requested page and number of pages, for each organisation with pages in progress. */
  readonly #queues = new Map<string, { last: Promise<unknown>; count: number }>();

  /** @throws {TooManyRequestsError} when too many wait already; no page is read then */
  async read<T>(org: string, page: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(org) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > MAX_WAITING) throw new TooManyRequestsError('TooManyJobLists', RETRY_MS);
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
