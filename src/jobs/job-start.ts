import { v7 as uuidv7 } from 'uuid';
import {
  faultOf,
  GatewayError,
  invalidInput,
  ServiceUnavailableError,
  tooManyItems,
  type FieldFault,
} from '../base/errors.js';
import type { KeyRing } from '../base/config/key-ring.js';
import { sealPayload } from './record/payload-encryption.js';
import type { JobMessage, JobSubmission } from './record/job-queue.js';
import { ordererOf, recordRetentionMs, type JobIdentity, type JobRecord, type Orderer } from './record/job-record.js';
import type { JobStore } from './record/job-store.js';
import { present } from './record/stored-fields.js';
import { fingerprintsOf, isOfUnknownKey } from './record/fingerprint.js';
import { keyedJobId } from './record/keyed-job-id.js';
import type { JobKind } from './record/job-kinds.js';
import type { Logger } from '../base/logging/logger.js';
import type { CurrentTrace } from '../base/wire/trace-headers.js';
import type { BodyFault } from './body-faults.js';
import { MAX_ORDER_BYTES, type Job } from './job.js';
import { yieldToEventLoop } from '../base/waits.js';

export interface StartedJob extends JobIdentity, Pick<JobRecord, 'createdAt' | 'state'> {
  readonly cancelled: boolean;
}

export interface OrderedJob {
  readonly kind: JobKind;
  readonly body: unknown;
  readonly total: number;
}

export interface Order {
  readonly user: Orderer & { readonly Org: string };
  readonly log: Logger;
  /** Writes the record. Throws without a write if the caller has been answered, or has disconnected. */
  readonly commit: <T>(write: () => Promise<T>) => Promise<T>;
}

export interface StartOrder extends Order {
  /** 1 to 128 printable ASCII characters; an order without one is new each time. */
  readonly idempotencyKey: string | undefined;
  /** Checks the user's right to the things that the body names, for a job that is not known yet. */
  readonly authorize: () => Promise<void>;
}

export interface JobStarterOptions {
  readonly submission: JobSubmission;
  readonly jobStore: Pick<JobStore, 'read'>;
  readonly keyRing: KeyRing;
  /** Largest body of an order in bytes, as the text of a callback; {@link MAX_ORDER_BYTES} at most. */
  readonly maxBodyBytes: number;
  readonly currentTrace?: CurrentTrace;
  readonly onOrdered: ((kind: JobKind) => void) | undefined;
}

/** Starts jobs: makes the id, writes the pending record and enqueues the encrypted body. */
export class JobStarter {
  readonly #options: JobStarterOptions;

  constructor(options: JobStarterOptions) {
    this.#options = options;
  }

  /**
   * Starts an accepted job, and logs it. A repeated order finds the job of the first one, and only enqueues it again if
   * its message may never have reached the queue. `isNew` is true if the job was started now.
   *
   * @throws {GatewayError} `BadInput` when the key of the order came with another input, or the body is too large
   * @throws {ServiceUnavailableError} when store or queue cannot be reached, or a key of encryption is unknown here
   * @throws errors of `commit`
   */
  async start(
    ordered: OrderedJob,
    { user, log, idempotencyKey, authorize, commit }: StartOrder,
  ): Promise<{ readonly job: StartedJob; readonly isNew: boolean }> {
    const { submission, jobStore, keyRing, onOrdered } = this.#options;
    const { kind, body, total } = ordered;
    const { Org: org, BackendUser: backendUser } = user;
    const jobId = idempotencyKey === undefined ? uuidv7() : keyedJobId({ kind, org, backendUser, idempotencyKey });
    const identity = { kind, org, jobId };
    const orderedBy = ordererOf(user);
    const fingerprints = await fingerprintsOf(keyRing, body);
    const known = idempotencyKey === undefined ? undefined : await jobStore.read(identity);
    if (known === undefined) await authorize();
    else {
      requireSameInput(known, fingerprints);
      if (known.state !== 'pending') return { job: startedJob(identity, known), isNew: false };
    }
    const described = { total, fingerprint: fingerprints[0], retentionMs: recordRetentionMs(identity), orderedBy };
    // An order that is repeated was judged when it came first.
    const maxBytes = known === undefined ? Math.min(this.#options.maxBodyBytes, MAX_ORDER_BYTES) : Infinity;
    const message = await this.#seal(identity, body, described, maxBytes);
    const { record, isNew } =
      known === undefined ? await commit(() => submission.submit(message)) : { record: known, isNew: false };
    if (isNew) {
      log.event('job.accepted', { ...identity, items: total, orderedBy });
      onOrdered?.(kind);
    } else {
      requireSameInput(record, fingerprints);
      if (record.state === 'pending') {
        await commit(() => submission.submitAgain(message));
        // The start that wrote the record may have been refused meanwhile; then the message is not run.
        if ((await jobStore.read(identity)) === undefined)
          throw new ServiceUnavailableError('job store', 'The start of the job was refused.');
      }
    }
    return { job: startedJob(identity, record), isNew };
  }

  /** Makes the message of a job. Serialising, encrypting and sending a large body each block the event loop. */
  async #seal(
    identity: JobIdentity,
    body: unknown,
    described: JobMessage['described'],
    maxBytes: number,
  ): Promise<JobMessage> {
    const { keyRing, currentTrace } = this.#options;
    await yieldToEventLoop();
    const json = JSON.stringify(body);
    if (Buffer.byteLength(json) > maxBytes) {
      throw new GatewayError('BodyTooLarge', { limit: maxBytes, variable: 'CALLBACK_MAX_BODY_BYTES' });
    }
    await yieldToEventLoop();
    const payload = sealPayload(keyRing, identity, json);
    await yieldToEventLoop();
    return { ...identity, payload, ...present({ traceparent: currentTrace?.()?.traceparent }), described };
  }
}

/**
 * Checks a body, the `argument` of a mutation, against the rules of its callback. A body without items is refused as
 * well, because it is a form that was sent empty by mistake. @throws {GatewayError} `BadInput` with field or limit
 */
export function acceptInput(job: Job, body: unknown, argument: string, org: string): OrderedJob {
  const accepted = job.accept(body);
  const items = [argument, ...job.itemsAt];
  if (accepted.kind === 'faults') throw invalidInput(accepted.faults.map((fault) => inArgument(argument, fault)));
  if (accepted.kind === 'too many') throw tooManyItems(accepted.values, items);
  const { total } = accepted.work;
  if (total === 0) throw new GatewayError('EmptyList', {}, { fields: [{ path: items, ...faultOf('ListEmpty') }] });
  job.requireOrderable?.(body, org);
  return { kind: job.kind, body, total };
}

/** @throws {GatewayError} `BadInput` for another input @throws {ServiceUnavailableError} when this cannot be told */
function requireSameInput({ fingerprint }: JobRecord, fingerprints: readonly string[]): void {
  if (fingerprints.includes(fingerprint)) return;
  if (!isOfUnknownKey(fingerprint, fingerprints)) throw new GatewayError('IdempotencyKeyReused');
  throw new ServiceUnavailableError(
    'job store',
    'The job was ordered under a key that JOB_ENCRYPTION_KEY of this gateway lacks.',
  );
}

function startedJob(job: JobIdentity, { createdAt, state, cancelledAt }: JobRecord): StartedJob {
  return { ...job, createdAt, state, cancelled: cancelledAt !== undefined };
}

/** Converts a fault in a body to one in an argument. A number in the pointer (RFC 6901, section 4) is an index. */
function inArgument(argument: string, { path, ...fault }: BodyFault): FieldFault {
  const keys = path.split('/').slice(1);
  const names = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll('~1', '/').replaceAll('~0', '~')));
  return { path: [argument, ...names], ...fault };
}
