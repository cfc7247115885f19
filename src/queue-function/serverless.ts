import type { JobMessage } from '../job-record/job-queue.js';
import { readVersion } from '../config/version.js';
import { createDeliver as createDeliverWith } from './deliver.js';
import type { DeliveryOutcome } from './delivery-outcome.js';
import { lineLogger } from './log-lines.js';
import { readMessage } from './read-message.js';
import { readOptions, type ServerlessOptions } from './serverless-options.js';

/* What queue functions of one's own are written with: the package `vehicle-location-gateway-deliver`. */

export type { JobMessage } from '../job-record/job-queue.js';
export type { DeliveryOutcome } from './delivery-outcome.js';
export type { LogLine } from './log-lines.js';
export type { ServerlessOptions } from './serverless-options.js';
export { createSqsHandler } from './sqs-handler.js';
export type { SqsBatchResponse, SqsCalls, SqsEvent, SqsHandlerOptions, SqsRecord } from './sqs-handler.js';

/**
 * Calls the callback of a job. Never throws: every failure is an outcome, and so is something that is no message.
 *
 * - `done`: the job was handled; the message may go.
 * - `delay`: come again after `delayMs`. That is no failure, so it must use up no attempt.
 * - `retry`: a failed attempt. Come again after a back-off, and after the last attempt to the dead letters.
 * - `final`: never try again; to the dead letters.
 */
export type Deliver = (message: JobMessage) => Promise<DeliveryOutcome>;

/**
 * Creates the function that decrypts the message of a job and calls its callback. Create it once and use it for
 * every message: it keeps its connections.
 *
 * A message whose key is not in `jobEncryptionKey` is a `delay` until an hour after it was sealed, because the gateway
 * may have been given a new key first, and `final` from then on. A message of a newer format is a `delay` until the
 * function is updated.
 *
 * @throws {TypeError} naming every option that is missing, unknown or cannot be used, without their values
 */
export function createDeliver(options: ServerlessOptions): Deliver {
  const { write, stopping, ...read } = readOptions(options);
  const deliver = createDeliverWith({
    ...read,
    logger: lineLogger(write, { service: 'queue-function', version: readVersion() }),
    ...(stopping && { stopping }),
  });
  return async (held) => {
    const reading = readMessage(held);
    // Whoever maps messages to it hands over more.
    return 'outcome' in reading ? reading.outcome : deliver(reading.message);
  };
}
