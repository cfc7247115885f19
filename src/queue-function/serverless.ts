import type { JobMessage } from '../job-record/job-queue.js';
import { readCommit, readVersion } from '../config/version.js';
import { createDeliver as createDeliverWith } from './deliver.js';
import type { DeliveryOutcome } from '../job-record/delivery-outcome.js';
import { lineLogger } from './log-lines.js';
import { readMessage } from './read-message.js';
import { readOptions, type ServerlessOptions } from './serverless-options.js';

/* Entry point for custom queue functions: the package `vehicle-location-gateway-deliver`. */

export type { JobMessage } from '../job-record/job-queue.js';
export type { DeliveryCode, DeliveryOutcome } from '../job-record/delivery-outcome.js';
export type { LogLine } from './log-lines.js';
export type { ServerlessOptions } from './serverless-options.js';
export { createSqsHandler } from './sqs-handler.js';
export type { SqsBatchResponse, SqsCalls, SqsEvent, SqsHandlerOptions, SqsRecord } from './sqs-handler.js';

/**
 * Calls the callback of a job. Never throws: every failure is an outcome, invalid messages included.
 *
 * - `done`: the job was handled; delete the message.
 * - `delay`: come again after `delayMs`. It is no failure, so it must use up no attempt.
 * - `retry`: a failed attempt. Come again after a back-off, and after the last attempt to the dead letters.
 * - `final`: never try again; to the dead letters.
 *
 * @param times.since time when the message was put into its queue, also by a replay, milliseconds since 1970; by
 * default the creation time of the job's id
 */
export type Deliver = (
  message: JobMessage,
  times?: { readonly since?: number | undefined },
) => Promise<DeliveryOutcome>;

/**
 * Creates the function that decrypts the message of a job and calls its callback. Create it once and use it for every
 * message: it keeps its connections.
 *
 * A failure outside the message is a `delay` until `patienceMs` after it was put into its queue, and `final` from then
 * on. A message of a newer format is a `delay` until the function is updated.
 *
 * @throws {TypeError} naming every option that is missing, unknown or cannot be used, without their values
 */
export function createDeliver(options: ServerlessOptions): Deliver {
  const { write, stopping, ...read } = readOptions(options);
  const deliver = createDeliverWith({
    ...read,
    logger: lineLogger(write, { service: 'queue-function', version: readVersion(), commit: readCommit() }),
    ...(stopping && { stopping }),
  });
  return async (held, times) => {
    const reading = readMessage(held);
    // `messages.map(deliver)` passes an index here.
    const since = typeof times === 'object' ? times.since : undefined;
    return 'outcome' in reading ? reading.outcome : deliver(reading.message, { since });
  };
}
