import { v7 as uuidv7 } from 'uuid';
import { GatewayError, invalidInput, type FieldFault } from '../errors.js';
import type { KeyRing } from '../config/key-ring.js';
import { sealPayload } from '../job-record/payload-encryption.js';
import type { JobSubmission } from '../job-record/job-queue.js';
import { RECORD_RETENTION_MS, ordererOf, type Orderer } from '../job-record/job-record.js';
import { fingerprintsOf } from '../job-record/fingerprint.js';
import type { JobKind } from '../job-record/job-kinds.js';
import type { Logger } from '../logging/logger.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import type { BodyFault } from './body-faults.js';
import type { Job } from './job.js';
import { yieldToEventLoop } from '../waits.js';

export interface StartedJob {
  readonly jobId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Body that passed its job's checks. */
export interface OrderedJob {
  readonly kind: JobKind;
  readonly body: unknown;
  /** Number of items. */
  readonly total: number;
}

export interface Order {
  readonly user: Orderer & { readonly Org: string };
  /** Logger that carries the id of the request. */
  readonly log: Logger;
}

/** Order of a start. */
export interface StartOrder extends Order {
  /** Writes the record. Throws without a write if the caller has been answered, or has disconnected. */
  readonly commit: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Starts jobs: makes the id, writes the pending record and enqueues the encrypted body. */
export type JobStarter = ReturnType<typeof createJobStarter>;

export function createJobStarter({
  submission,
  keyRing,
  currentTrace,
  onOrdered,
}: {
  readonly submission: JobSubmission;
  readonly keyRing: KeyRing;
  /** Trace that the job continues; absent without one. */
  readonly currentTrace?: CurrentTrace;
  /** Called for every accepted job. */
  readonly onOrdered?: ((kind: JobKind) => void) | undefined;
}) {
  return {
    /**
     * Checks a body against the rules of the callback of the job.
     *
     * @param argument name of the body in the mutation
     * @throws {GatewayError} `BadInput` naming the field or the limit. A body without items is refused as well, because
     * it is a form that was sent empty by mistake.
     */
    accept(job: Job, body: unknown, argument: string): OrderedJob {
      const accepted = job.accept(body);
      const items = [argument, ...job.itemsAt];
      switch (accepted.kind) {
        case 'work': {
          const { total } = accepted.work;
          if (total > 0) return { kind: job.kind, body, total };
          throw new GatewayError(
            'EmptyList',
            {},
            { fields: [{ path: items, message: 'must have an entry at least' }] },
          );
        }
        case 'too many': {
          const message = `must be a list of at most ${accepted.parts.limit} entries`;
          throw new GatewayError('TooManyItems', accepted.parts, { fields: [{ path: items, message }] });
        }
        case 'faults':
          throw invalidInput(accepted.faults.map((fault) => inArgument(argument, fault)));
      }
    },
    /**
     * Starts an accepted job, and logs it.
     *
     * @throws {ServiceUnavailableError} when store or queue cannot be reached; also errors of `commit`
     */
    async start({ kind, body, total }: OrderedJob, { user, log, commit }: StartOrder): Promise<StartedJob> {
      const identity = { kind, org: user.Org, jobId: uuidv7() };
      const orderedBy = ordererOf(user);
      const [fingerprint] = await fingerprintsOf(keyRing, body);
      // Serialising, encrypting and sending a large body each block the event loop for as long as is acceptable.
      await yieldToEventLoop();
      const json = JSON.stringify(body);
      await yieldToEventLoop();
      const payload = await sealPayload(keyRing, identity, json);
      await yieldToEventLoop();
      const traceparent = currentTrace?.()?.traceparent;
      const described = { total, fingerprint, retentionMs: RECORD_RETENTION_MS, orderedBy };
      const createdAt = await commit(() =>
        submission.submit({ ...identity, payload, ...(traceparent !== undefined && { traceparent }), described }),
      );
      log.event('job.accepted', { ...identity, items: total, orderedBy });
      onOrdered?.(kind);
      return { jobId: identity.jobId, createdAt };
    },
  };
}

/** Converts a fault in a body to one in an argument. A number in the pointer is an index. */
function inArgument(argument: string, { path, message }: BodyFault): FieldFault {
  const keys = path.split('/').slice(1);
  return { path: [argument, ...keys.map((key) => (/^\d+$/.test(key) ? Number(key) : unescaped(key)))], message };
}

/** Reads a name of a JSON pointer (RFC 6901, section 4). */
function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
