import { parseMasterKeys } from '../config/key-ring.js';
import { KeyRing } from '../config/key-ring.js';
import { parseSigningSecrets } from '../config/signing-secrets.js';
import { createLogger, type Logger } from '../logger.js';
import { readVersion } from '../version.js';
import type { JobMessage } from '../job-record/job-queue.js';
import { createDeliver as createDeliverWith, type DeliveryOutcome } from './deliver.js';

/* What a serverless function of one's own is written with: the package's export `./deliver`. */

export type { DeliveryOutcome } from './deliver.js';
export type { JobMessage } from '../job-record/job-queue.js';

/** Calls the callback of a job. Never throws: every failure is an outcome. */
export type Deliver = (message: JobMessage) => Promise<DeliveryOutcome>;

/** How a serverless function delivers; secrets are those the gateway is configured with. */
export interface ServerlessOptions {
  /** Where the gateway is, its base path included. */
  readonly gatewayUrl: string;
  /** `TASK_CALLBACK_API_KEY` of the gateway. */
  readonly apiKey: string;
  /** `JOB_ENCRYPTION_KEY` of the gateway: one key, or two separated by a comma. */
  readonly jobEncryptionKey: string;
  /** `CALLBACK_SIGNING_SECRET` of the gateway, where it is set: one secret, or two separated by a comma. */
  readonly signingSecret?: string | undefined;
  /** Longest time a callback may run, in milliseconds: `JOB_DEADLINE_SECONDS` of the gateway, an hour by default. */
  readonly deadlineMs?: number;
  /** Where messages that cannot be delivered are noted; standard output by default. */
  readonly logger?: Logger;
  /** Once aborted, calls under way end and become delays: before the platform ends the function, say. */
  readonly stopping?: AbortSignal;
}

const DEADLINE_MS = 3_600_000;

/**
 * Creates the function that decrypts the message of a job and calls its callback. Create it once and use it for
 * every message: it keeps its connections.
 *
 * A message whose key is not in `jobEncryptionKey` is a `delay` until an hour after it was sealed, because the gateway
 * may have been given a new key first, and `final` from then on.
 *
 * @throws {TypeError} when `jobEncryptionKey`, `signingSecret` or `gatewayUrl` cannot be used
 */
export function createDeliver(options: ServerlessOptions): Deliver {
  const { gatewayUrl, apiKey, jobEncryptionKey, signingSecret, deadlineMs = DEADLINE_MS, stopping } = options;
  const masterKeys = parseMasterKeys(jobEncryptionKey);
  if (masterKeys === undefined) {
    throw new TypeError('jobEncryptionKey must be one or two keys of 32 bytes in base64url, separated by a comma.');
  }
  const signingSecrets = signingSecret === undefined ? undefined : parseSigningSecrets(signingSecret);
  if (signingSecret !== undefined && signingSecrets === undefined) {
    throw new TypeError(
      'signingSecret must be one or two of whsec_ and base64 of 24 to 64 bytes, separated by a comma.',
    );
  }
  if (!/^https?:\/\/./.test(gatewayUrl)) throw new TypeError('gatewayUrl must be an absolute http: or https: URL.');
  const deliver = createDeliverWith({
    gatewayUrl: gatewayUrl.replace(/\/+$/, ''),
    apiKey,
    signingSecrets,
    keyRing: new KeyRing(masterKeys),
    deadlineMs,
    logger:
      options.logger ??
      createLogger({ level: 'info', pretty: false, program: { service: 'queue-function', version: readVersion() } }),
    ...(stopping !== undefined && { stopping }),
  });
  // Whoever maps messages to it hands over more.
  return (message) => deliver(message);
}
