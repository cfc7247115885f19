import { Worker } from 'bullmq';

/** A BullMQ worker without two habits of BullMQ that keep a process alive while Redis is away. */
export class SteadyWorker extends Worker<unknown> {
  /**
   * Closes the worker. Messages in hand must be handled by then; BullMQ would wait without end for a Redis
   * that is away to hear of them.
   *
   * @param settleMs longest wait for Redis; what it has not heard of then is delivered again
   */
  async closeWithin(settleMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, settleMs);
    });
    await Promise.race([this.close(), tooLong]);
    clearTimeout(timer);
    await this.lockManager.close();
  }

  /** The interval of the looks for messages of dead consumers is wait enough after one that failed. */
  protected override checkConnectionError<T>(look: () => Promise<T>): Promise<T | undefined> {
    return super.checkConnectionError(look, 0);
  }
}
