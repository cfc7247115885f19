import { FORMAT, requireKnownFormat, present, StoredFields } from './stored-fields.js';
import type { JobMessage } from './job-queue.js';
import { parseJob } from './message-fields.js';

/*
 * Message of a job in Amazon SQS, for the queue function and for functions that are called with messages of the queue
 * (AWS Lambda). All data is in the body, because attributes are more easily lost.
 */

/** Job message with its queue data. */
export interface SqsEnvelope {
  readonly job: Omit<JobMessage, 'payload'>;
  readonly payload: SqsPayload;
  /** Attempts that were used up before it was sent. */
  readonly attempts: number;
  /** Time when the job was accepted, milliseconds since 1970. */
  readonly acceptedAt: number;
  /** Earliest time of delivery, milliseconds since 1970; at once if absent. */
  readonly dueAt?: number;
  /** Reason of a dead letter. In any other queue it means that the message was moved back. */
  readonly death?: SqsDeath;
}

/** Encrypted body of the callback: inline or, if too large, under this key of the object store. */
type SqsPayload = { readonly sealed: string } | { readonly key: string };

export interface SqsDeath {
  readonly reason: string;
  /** Last status of the callback; absent if the record of the job has ended with it. */
  readonly status?: number;
  readonly attempts: number;
}

/** Serialises a message as ASCII: SQS refuses some characters, and the length is then the size. */
export function writeSqsEnvelope({ job, payload, ...own }: SqsEnvelope): string {
  const { kind, org, jobId, traceparent, failedAt, described } = job;
  const body = 'sealed' in payload ? { payload: payload.sealed } : { payloadKey: payload.key };
  const stored = { format: FORMAT, ...own, kind, org, jobId, traceparent, failedAt, described, ...body };
  return JSON.stringify(stored).replace(/[\u007f-\uffff]/g, escapedCharacter);
}

/** Parses a message. @throws {NewerFormatError} @throws {DamagedError} @throws {SyntaxError} when it is no JSON */
export function readSqsEnvelope(body: string): SqsEnvelope {
  const stored: unknown = JSON.parse(body);
  const fields = new StoredFields('message', stored);
  // Check first: a newer version may lack the other fields.
  requireKnownFormat('The message', fields.whole('format'));
  const key = fields.optionalText('payloadKey');
  return {
    job: parseJob(stored),
    payload: key === undefined ? { sealed: fields.text('payload') } : { key },
    attempts: fields.whole('attempts'),
    acceptedAt: fields.whole('acceptedAt'),
    ...present({
      dueAt: fields.optionalWhole('dueAt'),
      death: fields.has('death') ? deathIn(fields.object('death')) : undefined,
    }),
  };
}

/** Returns a dead letter for its first attempt. @param acceptedAt time of its return to the queue */
export function revived({ death: _died, dueAt: _due, ...message }: SqsEnvelope, acceptedAt: number): SqsEnvelope {
  return { ...message, attempts: 0, acceptedAt };
}

function deathIn(fields: StoredFields): SqsDeath {
  const status = fields.optionalWhole('status');
  return { reason: fields.text('reason'), attempts: fields.whole('attempts'), ...present({ status }) };
}

function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
