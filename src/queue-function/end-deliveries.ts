import type { QueueConsumer } from '../job-record/job-queue.js';

/**
 * Lets deliveries end. Those that take longer than `drainMs` are given up: their messages come to another
 * consumer, or to this one's successor.
 *
 * @param stopping gives up the deliveries of the consumer's `deliver`
 */
export async function endDeliveries(
  consumer: QueueConsumer,
  stopping: AbortController,
  drainMs: number,
): Promise<void> {
  const timer = setTimeout(() => stopping.abort(), drainMs);
  await consumer.close();
  clearTimeout(timer);
}
