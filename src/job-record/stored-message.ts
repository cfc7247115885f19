import { isWhole } from './fields.js';
import { FORMAT, requireKnownFormat } from './format.js';
import { isJobKind } from './job-kinds.js';
import type { JobMessage } from './job-queue.js';
import type { JobIdentity } from './job-record.js';
import { readTraceparent } from '../wire/trace-headers.js';
import { readOrderer, type Orderer } from './orderer.js';

/** Queue data cannot be parsed as a message; the text names the field. */
export class DamagedMessageError extends Error {
  override readonly name = 'DamagedMessageError';
}

/** Returns the stored form of a message: itself, and the number of its format. */
export function storedMessage(message: JobMessage): JobMessage & { readonly format: number } {
  return { ...message, format: FORMAT };
}

/**
 * Parses a stored message.
 *
 * @throws {DamagedMessageError} when it is invalid
 * @throws {NewerFormatError} when a newer version wrote it
 */
export function parseMessage(stored: unknown): JobMessage {
  const fields = fieldsOf(stored, 'message');
  if (fields.has('format')) requireKnownFormat('The message', wholeNumber(fields, 'format'));
  const described = fieldsOf(fields.get('described'), 'described');
  const traceparent = fields.get('traceparent');
  return {
    ...parseIdentity(stored),
    payload: text(fields, 'payload'),
    // A job runs just as well without its trace.
    ...(typeof traceparent === 'string' && readTraceparent(traceparent) && { traceparent }),
    described: {
      total: wholeNumber(described, 'total'),
      fingerprint: text(described, 'fingerprint'),
      retentionMs: wholeNumber(described, 'retentionMs'),
      ...ordererIn(described),
    },
  };
}

function ordererIn(described: Fields): { readonly orderedBy?: Orderer } {
  const stored = described.get('orderedBy');
  if (stored === undefined) return {};
  const orderedBy = readOrderer(stored);
  if (orderedBy === undefined) throw damaged('orderedBy names nobody');
  return { orderedBy };
}

/**
 * Parses a stored identity.
 *
 * @throws {DamagedMessageError} when it is invalid
 */
export function parseIdentity(stored: unknown): JobIdentity {
  const fields = fieldsOf(stored, 'message');
  const kind = text(fields, 'kind');
  if (!isJobKind(kind)) throw damaged(`kind is "${kind}"`);
  return { kind, org: fields.get('org') === undefined ? undefined : text(fields, 'org'), jobId: text(fields, 'jobId') };
}

export type Fields = ReadonlyMap<string, unknown>;

export function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null) throw damaged(`${name} is no object`);
  return new Map(Object.entries(value));
}

export function text(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (typeof value !== 'string') throw damaged(`${name} is no text`);
  return value;
}

export function wholeNumber(fields: Fields, name: string): number {
  const value = fields.get(name);
  if (!isWhole(value)) throw damaged(`${name} is no whole number`);
  return value;
}

function damaged(fault: string): DamagedMessageError {
  return new DamagedMessageError(`The stored message is damaged: ${fault}.`);
}
