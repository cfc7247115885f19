import { FORMAT, requireKnownFormat } from './format.js';
import { joinFingerprint, splitFingerprint } from './fingerprint-key.js';
import { isItemErrorCode } from '../error-table.js';
import type { JobRecord, JobResult, JobWarning, Lease, NotedItemError } from './job-record.js';
import { readOrderer, type Orderer } from './orderer.js';

export type JobRecordField = keyof ReturnType<typeof toJobRecordFields>;

/** A stored record cannot be parsed; the message names the field. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError';
}

/**
 * Flattens a record for storage, without absent values. The first three fields are those of the specification, "Job
 * status record"; points in time and durations are milliseconds.
 */
export function toJobRecordFields(record: JobRecord) {
  const { result, lease, startedAt, finishedAt, cancelledAt, waiting, checkpoint, orderedBy } = record;
  const { kid, mac } = splitFingerprint(record.fingerprint);
  return {
    completed: record.state === 'finished' ? 1 : 0,
    ...(result && { callback_result_status: result.status, callback_result_body: result.body }),
    ...(result?.failedItems && { failed_items: JSON.stringify(result.failedItems) }),
    ...(result?.itemErrors && { item_errors: JSON.stringify(result.itemErrors) }),
    ...(result?.warnings && { warnings: JSON.stringify(result.warnings) }),
    state: record.state,
    total: record.total,
    done: record.done,
    format: FORMAT,
    ...(orderedBy && { ordered_by: JSON.stringify(orderedBy) }),
    created_at: record.createdAt,
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(finishedAt !== undefined && { finished_at: finishedAt }),
    ...(cancelledAt !== undefined && { cancelled_at: cancelledAt }),
    ...(waiting && { waiting_reason: waiting.reason, waiting_since: waiting.since }),
    attempt: record.attempt,
    fingerprint: mac,
    ...(kid !== undefined && { fingerprint_kid: kid }),
    ...(lease && { lease_token: lease.fencingToken, lease_expires_at: lease.expiresAt }),
    ...(checkpoint !== undefined && { checkpoint }),
    retention_ms: record.retentionMs,
    expires_at: record.expiresAt,
  };
}

/**
 * Parses a stored record, exactly as it was written. Integers may come as decimal text, because Redis returns them so.
 *
 * @param stored an object of the fields of {@link toJobRecordFields}; others are ignored
 * @throws {DamagedRecordError} when a field is missing, malformed, or contradicts another
 * @throws {NewerFormatError} when a newer version wrote it
 */
export function parseJobRecordFields(stored: unknown): JobRecord {
  if (!isStored(stored)) throw new DamagedRecordError('A stored job record is damaged: it is no object.');
  requireKnownFormat('The record of the job', optional(stored, 'format', integer));
  const state = readState(stored);
  const lease = readLease(stored);
  const waiting = together(stored, 'waiting_reason', 'waiting_since') && {
    reason: text(stored, 'waiting_reason'),
    since: integer(stored, 'waiting_since'),
  };
  const result = readResult(stored);
  const startedAt = optional(stored, 'started_at', integer);
  const finishedAt = optional(stored, 'finished_at', integer);
  const cancelledAt = optional(stored, 'cancelled_at', integer);
  const checkpoint = optional(stored, 'checkpoint', text);
  const kid = optional(stored, 'fingerprint_kid', text);
  const orderedBy = optional(stored, 'ordered_by', orderer);

  const finished = state === 'finished';
  const contradiction = `contradicts state "${state}"`;
  if (integer(stored, 'completed') !== (finished ? 1 : 0)) throw damaged('completed', contradiction);
  if (finished !== (result !== undefined)) throw damaged('callback_result_status', contradiction);
  return {
    state,
    total: integer(stored, 'total'),
    done: integer(stored, 'done'),
    createdAt: integer(stored, 'created_at'),
    attempt: integer(stored, 'attempt'),
    fingerprint: joinFingerprint({ mac: text(stored, 'fingerprint'), ...(kid !== undefined && { kid }) }),
    retentionMs: integer(stored, 'retention_ms'),
    expiresAt: integer(stored, 'expires_at'),
    // Spreads come last, because every property that follows one takes V8 several times as long.
    ...(orderedBy && { orderedBy }),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(cancelledAt !== undefined && { cancelledAt }),
    ...(waiting && { waiting }),
    ...(lease && { lease }),
    ...(checkpoint !== undefined && { checkpoint }),
    ...(result && { result }),
  };
}

const STATES = ['pending', 'running', 'finished'] as const satisfies readonly JobRecord['state'][];

function readState(stored: Stored): JobRecord['state'] {
  const word = text(stored, 'state');
  const state = STATES.find((candidate) => candidate === word);
  if (state === undefined) throw damaged('state', `is "${word}"`);
  return state;
}

function readLease(stored: Stored): Lease | undefined {
  if (!together(stored, 'lease_token', 'lease_expires_at')) return undefined;
  return { fencingToken: text(stored, 'lease_token'), expiresAt: integer(stored, 'lease_expires_at') };
}

function readResult(stored: Stored): JobResult | undefined {
  if (!together(stored, 'callback_result_status', 'callback_result_body')) return undefined;
  const failedItems = optional(stored, 'failed_items', integers);
  const itemErrors = optional(stored, 'item_errors', itemErrorList);
  const warnings = optional(stored, 'warnings', warningList);
  return {
    status: integer(stored, 'callback_result_status'),
    body: text(stored, 'callback_result_body'),
    ...(failedItems && { failedItems }),
    ...(itemErrors && { itemErrors }),
    ...(warnings && { warnings }),
  };
}

type Stored = Readonly<Record<string, unknown>>;

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null;
}

function text(stored: Stored, name: JobRecordField): string {
  const value = stored[name];
  if (typeof value !== 'string') throw damaged(name, 'is not text');
  return value;
}

function integer(stored: Stored, name: JobRecordField): number {
  const value = stored[name];
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (!isWhole(number)) throw damaged(name, 'is not a whole number');
  return number;
}

/** Returns true for a whole number from 0. */
export function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function integers(stored: Stored, name: JobRecordField): readonly number[] {
  const list = parsed(text(stored, name));
  if (!Array.isArray(list) || !list.every(isWhole)) throw damaged(name, 'is no list of whole numbers');
  return list;
}

/** Undefined for a code of a newer version: the texts of `errors` say the same. */
function itemErrorList(stored: Stored, name: JobRecordField): readonly NotedItemError[] | undefined {
  const list = parsed(text(stored, name));
  if (!Array.isArray(list) || !list.every(isLabelAndCode)) throw damaged(name, 'is no list of labels and codes');
  return list.every(isNotedItemError) ? list : undefined;
}

type LabelAndCode = readonly [label: string | null, code: string];

function isLabelAndCode(value: unknown): value is LabelAndCode {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [label, code] = value as readonly unknown[]; // an array of unknown values
  return (label === null || typeof label === 'string') && typeof code === 'string';
}

function isNotedItemError(value: LabelAndCode): value is NotedItemError {
  return isItemErrorCode(value[1]);
}

function warningList(stored: Stored, name: JobRecordField): readonly JobWarning[] {
  const list = parsed(text(stored, name));
  if (!Array.isArray(list) || !list.every(isWarning)) throw damaged(name, 'is no list of warnings');
  return list;
}

function isWarning(value: unknown): value is JobWarning {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return false;
  return typeof value.code === 'string' && typeof value.message === 'string';
}

function orderer(stored: Stored, name: JobRecordField): Orderer {
  const found = readOrderer(parsed(text(stored, name)));
  if (found === undefined) throw damaged(name, 'names nobody');
  return found;
}

function optional<T>(
  stored: Stored,
  name: JobRecordField,
  read: (stored: Stored, name: JobRecordField) => T,
): T | undefined {
  return stored[name] === undefined ? undefined : read(stored, name);
}

/** Returns true if both fields are there; one without the other is damage. */
function together(stored: Stored, first: JobRecordField, second: JobRecordField): boolean {
  const [hasFirst, hasSecond] = [stored[first] !== undefined, stored[second] !== undefined];
  if (hasFirst !== hasSecond) throw damaged(hasFirst ? second : first, 'is missing');
  return hasFirst;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function damaged(field: JobRecordField, fault: string): DamagedRecordError {
  return new DamagedRecordError(`A stored job record is damaged: field ${field} ${fault}.`);
}
