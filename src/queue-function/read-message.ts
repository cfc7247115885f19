import { FORMAT } from '../job-record/format.js';
import { isJobKind } from '../job-record/job-kinds.js';
import type { DeliverableMessage } from './deliver.js';
import type { DeliveryOutcome } from '../job-record/delivery-outcome.js';

/** Pause before a message of a newer format may come again: its version is being rolled out. */
const NEWER_FORMAT_PAUSE_MS = 60_000;

/** Status of an invalid message, for which no callback was called. */
const NO_MESSAGE_STATUS = 500;

/** Message, or the outcome of one that cannot be delivered. */
export type ReadMessage = { readonly message: DeliverableMessage } | { readonly outcome: DeliveryOutcome };

/** Parses queue data of any type. */
export function readMessage(held: unknown): ReadMessage {
  if (typeof held === 'string') return noMessage('it is a text, to be parsed first');
  if (typeof held !== 'object' || held === null) return noMessage(`it is ${held === null ? 'null' : typeof held}`);
  const fields = new Map<string, unknown>(Object.entries(held));
  const format = fields.get('format') ?? FORMAT;
  if (typeof format === 'number' && format > FORMAT) {
    const reason = `The message is of format ${format}, and format ${FORMAT} is known. Update the function.`;
    const outcome = { kind: 'delay', delayMs: NEWER_FORMAT_PAUSE_MS, status: NO_MESSAGE_STATUS } as const;
    return { outcome: { ...outcome, code: 'newer_format', reason } };
  }
  const [kind, org, jobId, payload, traceparent] = ['kind', 'org', 'jobId', 'payload', 'traceparent'].map((name) =>
    fields.get(name),
  );
  if (typeof kind !== 'string' || !isJobKind(kind)) return noMessage('kind names no kind of job');
  if (org !== undefined && typeof org !== 'string') return noMessage('org is no text');
  if (typeof jobId !== 'string') return noMessage('jobId is no text');
  if (typeof payload !== 'string') return noMessage('payload is no text');
  return { message: { kind, org, jobId, payload, ...(typeof traceparent === 'string' && { traceparent }) } };
}

function noMessage(fault: string): ReadMessage {
  const reason = `This is no message of a job: ${fault}. Hand over what the queue holds, as an object.`;
  return { outcome: { kind: 'final', code: 'unreadable', status: NO_MESSAGE_STATUS, reason } };
}
