import { FORMAT, requireKnownFormat } from './format.js';
import { joinFingerprint, splitFingerprint } from './fingerprint-key.js';
import type { JobRecord, JobResult, Lease } from './job-record.js';
import { readOrderer, type Orderer } from './orderer.js';

/**
 * Names of the stored fields, in the order they are written. The first three are those of the specification,
 * "Job status record"; points in time and durations are milliseconds.
 */
export const JOB_RECORD_FIELDS = [
  'completed',
  'callback_result_status',
  'callback_result_body',
  'failed_items',
  'state',
  'total',
  'done',
  'format',
  'ordered_by',
  'created_at',
  'started_at',
  'finished_at',
  'cancelled_at',
  'attempt',
  'fingerprint',
  'fingerprint_kid',
  'lease_token',
  'lease_expires_at',
  'checkpoint',
  'retention_ms',
  'expires_at',
] as const;

/** Name of a stored field. */
export type JobRecordField = (typeof JOB_RECORD_FIELDS)[number];

/** A record as it is stored: flat, absent values left out. */
export type JobRecordFields = Partial<Record<JobRecordField, string | number>>;

/** A stored record cannot be read back; the message names the field. */
export class DamagedRecordError extends Error {
  override readonly name = 'DamagedRecordError';
}

/** Flattens a record for storage. */
export function toJobRecordFields(record: JobRecord): JobRecordFields {
  const { result, lease, startedAt, finishedAt, cancelledAt, checkpoint, orderedBy } = record;
  const { kid, mac } = splitFingerprint(record.fingerprint);
  return {
    completed: record.state === 'finished' ? 1 : 0,
    ...(result && { callback_result_status: result.status, callback_result_body: result.body }),
    ...(result?.failedItems && { failed_items: JSON.stringify(result.failedItems) }),
    state: record.state,
    total: record.total,
    done: record.done,
    format: FORMAT,
    ...(orderedBy && { ordered_by: JSON.stringify(orderedBy) }),
    created_at: record.createdAt,
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(finishedAt !== undefined && { finished_at: finishedAt }),
    ...(cancelledAt !== undefined && { cancelled_at: cancelledAt }),
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
 * Reads a stored record back, exactly as it was written. Integers may come as decimal text, which is how
 * Redis returns them.
 *
 * @param stored an object of the fields in {@link JOB_RECORD_FIELDS}; other fields are ignored
 * @throws {DamagedRecordError} when a field is missing, malformed, or contradicts another
 * @throws {NewerFormatError} when a newer version wrote it
 */
export function parseJobRecordFields(stored: unknown): JobRecord {
  const fields = new StoredFields(stored);
  requireKnownFormat('The record of the job', fields.optional('format', fields.integer));
  const state = readState(fields);
  const lease = readLease(fields);
  const result = readResult(fields);
  const startedAt = fields.optional('started_at', fields.integer);
  const finishedAt = fields.optional('finished_at', fields.integer);
  const cancelledAt = fields.optional('cancelled_at', fields.integer);
  const checkpoint = fields.optional('checkpoint', fields.text);
  const kid = fields.optional('fingerprint_kid', fields.text);
  const orderedBy = fields.optional('ordered_by', fields.orderer);

  const finished = state === 'finished';
  const contradiction = `contradicts state "${state}"`;
  if (fields.integer('completed') !== (finished ? 1 : 0)) throw damaged('completed', contradiction);
  if (finished !== (result !== undefined)) throw damaged('callback_result_status', contradiction);
  return {
    state,
    total: fields.integer('total'),
    done: fields.integer('done'),
    ...(orderedBy && { orderedBy }),
    createdAt: fields.integer('created_at'),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(cancelledAt !== undefined && { cancelledAt }),
    attempt: fields.integer('attempt'),
    fingerprint: joinFingerprint({ mac: fields.text('fingerprint'), ...(kid !== undefined && { kid }) }),
    ...(lease && { lease }),
    ...(checkpoint !== undefined && { checkpoint }),
    ...(result && { result }),
    retentionMs: fields.integer('retention_ms'),
    expiresAt: fields.integer('expires_at'),
  };
}

const STATES = ['pending', 'running', 'finished'] as const satisfies readonly JobRecord['state'][];

function readState(fields: StoredFields): JobRecord['state'] {
  const text = fields.text('state');
  const state = STATES.find((candidate) => candidate === text);
  if (state === undefined) throw damaged('state', `is "${text}"`);
  return state;
}

function readLease(fields: StoredFields): Lease | undefined {
  if (!fields.together('lease_token', 'lease_expires_at')) return undefined;
  return { fencingToken: fields.text('lease_token'), expiresAt: fields.integer('lease_expires_at') };
}

function readResult(fields: StoredFields): JobResult | undefined {
  if (!fields.together('callback_result_status', 'callback_result_body')) return undefined;
  const failedItems = fields.optional('failed_items', fields.integers);
  return {
    status: fields.integer('callback_result_status'),
    body: fields.text('callback_result_body'),
    ...(failedItems && { failedItems }),
  };
}

/** Typed access to the fields of one stored record. */
class StoredFields {
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(stored: unknown) {
    if (typeof stored !== 'object' || stored === null) {
      throw new DamagedRecordError('A stored job record is damaged: it is no object.');
    }
    this.#values = new Map(Object.entries(stored));
  }

  // Arrow functions, so that they can be handed to `optional`.
  readonly text = (name: JobRecordField): string => {
    const value = this.#values.get(name);
    if (typeof value !== 'string') throw damaged(name, 'is not text');
    return value;
  };

  readonly integer = (name: JobRecordField): number => {
    const value = this.#values.get(name);
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
      throw damaged(name, 'is not a whole number');
    }
    return number;
  };

  readonly integers = (name: JobRecordField): readonly number[] => {
    const text = this.text(name);
    if (!/^\[(\d{1,10}(,\d{1,10})*)?\]$/.test(text)) throw damaged(name, 'is no list of whole numbers');
    return [...text.matchAll(/\d+/g)].map(Number);
  };

  readonly orderer = (name: JobRecordField): Orderer => {
    const orderer = readOrderer(parsed(this.text(name)));
    if (orderer === undefined) throw damaged(name, 'names nobody');
    return orderer;
  };

  optional<T>(name: JobRecordField, read: (name: JobRecordField) => T): T | undefined {
    return this.#values.has(name) ? read(name) : undefined;
  }

  /** Whether both fields are there; one without the other is damage. */
  together(first: JobRecordField, second: JobRecordField): boolean {
    const [hasFirst, hasSecond] = [this.#values.has(first), this.#values.has(second)];
    if (hasFirst !== hasSecond) throw damaged(hasFirst ? second : first, 'is missing');
    return hasFirst;
  }
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
