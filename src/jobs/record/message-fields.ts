import { FORMAT, present, requireKnownFormat, StoredFields } from './stored-fields.js';
import { isJobKind } from './job-kinds.js';
import type { JobMessage } from './job-queue.js';
import { type JobIdentity, parseOrderer } from './job-record.js';
import { readTraceparent } from '../../base/wire/trace-headers.js';

export function storedMessage(message: JobMessage): JobMessage & { readonly format: number } {
  return { ...message, format: FORMAT };
}

/** Parses a stored message. @throws {DamagedError} @throws {NewerFormatError} when a newer version wrote it */
export function parseMessage(stored: unknown): JobMessage {
  const fields = new StoredFields('message', stored);
  requireKnownFormat('The message', fields.optionalWhole('format'));
  return { ...parseJob(stored), payload: fields.text('payload') };
}

/** Parses a stored message except its payload and format. @throws {DamagedError} when it is invalid */
export function parseJob(stored: unknown): Omit<JobMessage, 'payload'> {
  const fields = new StoredFields('message', stored);
  const described = fields.object('described');
  const traceparent = fields.value('traceparent');
  return {
    ...parseIdentity(stored),
    // A job runs just as well without its trace.
    ...(typeof traceparent === 'string' && readTraceparent(traceparent) && { traceparent }),
    described: {
      total: described.whole('total'),
      fingerprint: described.text('fingerprint'),
      retentionMs: described.whole('retentionMs'),
      ...(described.has('orderedBy') && { orderedBy: parseOrderer(described.object('orderedBy')) }),
    },
    ...present({ failedAt: fields.optionalWhole('failedAt') }),
  };
}

/** Parses a stored identity. @throws {DamagedError} when it is invalid */
export function parseIdentity(stored: unknown): JobIdentity {
  const fields = new StoredFields('message', stored);
  const kind = fields.text('kind');
  if (!isJobKind(kind)) return fields.damaged('kind', `is "${kind}"`);
  return { kind, org: fields.optionalText('org'), jobId: fields.text('jobId') };
}
