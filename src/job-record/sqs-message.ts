import { FORMAT, requireKnownFormat } from './format.js';
import type { JobMessage } from './job-queue.js';
import { fieldsOf, parseMessage, text, wholeNumber, type Fields } from './stored-message.js';

/*
 * A job message as it lies in Amazon SQS, for the queue function and for functions that are called with messages
 * of the queue (AWS Lambda). Whatever a message says of itself stands in its body: attributes get lost more easily.
 */

/** A job message and what the queue has to know of it. */
export interface SqsMessage {
  /** Without its payload. */
  readonly job: Omit<JobMessage, 'payload'>;
  readonly payload: SqsPayload;
  /** Attempts that were used up before it was sent. */
  readonly attempts: number;
  /** When the job was accepted, milliseconds since 1970. */
  readonly acceptedAt: number;
  /** Not to be delivered before this time, milliseconds since 1970; absent: at once. */
  readonly dueAt?: number;
  /** How it became a dead letter. Outside of the dead-letter queue it says that somebody moved the message back. */
  readonly death?: SqsDeath;
}

/** The encrypted body of the callback: here, or under this key of the object store because it is too large. */
export type SqsPayload = { readonly sealed: string } | { readonly key: string };

/** How a message became a dead letter. */
export interface SqsDeath {
  readonly reason: string;
  /** The last status of its callback, where whoever sent it could not end the job's record with it. */
  readonly status?: number;
  readonly attempts: number;
}

/**
 * The text of a message. It is plain ASCII: SQS refuses some characters ("Amazon SQS message quotas", message
 * content), and its length is its size.
 */
export function writeSqsMessage({ job, payload, ...own }: SqsMessage): string {
  const { kind, org, jobId, traceparent, described } = job;
  const stored = {
    format: FORMAT,
    ...own,
    kind,
    org,
    jobId,
    traceparent,
    described,
    ...('sealed' in payload ? { payload: payload.sealed } : { payloadKey: payload.key }),
  };
  return JSON.stringify(stored).replace(/[\u007f-\uffff]/g, escaped);
}

/**
 * Reads the text of a message back.
 *
 * @throws {NewerFormatError} when a newer version wrote it
 * @throws {DamagedMessageError} when it is none; a `SyntaxError` when it is no JSON
 */
export function readSqsMessage(body: string): SqsMessage {
  const stored: unknown = JSON.parse(body);
  const fields = fieldsOf(stored, 'message');
  // Before anything else of it: a newer version may have none of it.
  requireKnownFormat('The message', wholeNumber(fields, 'format'));
  const key = fields.get('payloadKey') === undefined ? undefined : text(fields, 'payloadKey');
  const { payload, ...job } = parseMessage(key === undefined ? stored : { ...Object.fromEntries(fields), payload: '' });
  return {
    job,
    payload: key === undefined ? { sealed: payload } : { key },
    attempts: wholeNumber(fields, 'attempts'),
    acceptedAt: wholeNumber(fields, 'acceptedAt'),
    ...(fields.get('dueAt') !== undefined && { dueAt: wholeNumber(fields, 'dueAt') }),
    ...(fields.get('death') !== undefined && { death: deathIn(fieldsOf(fields.get('death'), 'death')) }),
  };
}

/** A message without its death and the attempts it had used up: it begins anew. @param acceptedAt when it does so */
export function revived({ death: _died, dueAt: _due, ...message }: SqsMessage, acceptedAt: number): SqsMessage {
  return { ...message, attempts: 0, acceptedAt };
}

function deathIn(fields: Fields): SqsDeath {
  return {
    reason: text(fields, 'reason'),
    attempts: wholeNumber(fields, 'attempts'),
    ...(fields.get('status') !== undefined && { status: wholeNumber(fields, 'status') }),
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Whole seconds that are no shorter than a time. */
export function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
