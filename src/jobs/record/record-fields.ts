import { isItemErrorCode, type ItemErrorCode, type JobWarningCode } from '../../base/error-table.js';
import { ENDED_FORMAT, FORMAT, requireKnownFormat, isObject, isWhole, StoredFields } from './stored-fields.js';
import { joinFingerprint, splitFingerprint } from './fingerprint.js';
import { notedFailures, replyToStore, storedReplyOf, type NotedFailure } from './job-failures.js';
import { parseOrderer, type ItemOutcome, type JobRecord, type JobWarning } from './job-record.js';

/** How a value is read from a flat record, and written. */
interface FieldType<T> {
  read(fields: StoredFields, name: string): T;
  write(value: T): string | number;
}

const WHOLE: FieldType<number> = { read: (fields, name) => fields.whole(name), write: (value) => value };
const TEXT: FieldType<string> = { read: (fields, name) => fields.text(name), write: (value) => value };
const FLAG: FieldType<true> = { read: () => true, write: () => 1 };

function json<T>(read: FieldType<T>['read']): FieldType<T> {
  return { read, write: (value) => JSON.stringify(value) };
}

function oneOf<Word extends string>(...words: readonly Word[]): FieldType<Word> {
  const read: FieldType<Word>['read'] = (fields, name) => {
    const found = fields.text(name);
    return words.find((word) => word === found) ?? fields.damaged(name, `is "${found}"`);
  };
  return { read, write: (word) => word };
}

interface FieldRow<T> {
  /** Name in stores. */
  readonly name: string;
  readonly type: FieldType<T>;
  /** Transitions that decide on the field, so that they are not written if it has changed meanwhile. */
  readonly decides?: 'every' | 'progress';
}

/** Rows of the properties of a part of a record. One that may be absent says so. */
type RowsOf<Part> = {
  readonly [Name in keyof Part]-?: FieldRow<NonNullable<Part[Name]>> &
    (undefined extends Part[Name] ? { readonly optional: true } : { readonly optional?: never });
};

type Group = 'lease' | 'waiting' | 'dropped' | 'result';

/** Fields of the record itself, and of the parts that it may have. `completed`, `format` and `fingerprint` follow. */
const FIELDS: { readonly own: RowsOf<Omit<JobRecord, Group | 'fingerprint'>> } & {
  readonly [Name in Group]: RowsOf<NonNullable<JobRecord[Name]>>;
} = {
  own: {
    state: { name: 'state', type: oneOf('pending', 'running', 'finished'), decides: 'every' },
    total: { name: 'total', type: WHOLE },
    done: { name: 'done', type: WHOLE, decides: 'progress' },
    orderedBy: { name: 'ordered_by', type: json((fields, name) => parseOrderer(fields.object(name))), optional: true },
    createdAt: { name: 'created_at', type: WHOLE, decides: 'every' },
    startedAt: { name: 'started_at', type: WHOLE, optional: true },
    fetchedAt: { name: 'fetched_at', type: WHOLE, optional: true },
    finishedAt: { name: 'finished_at', type: WHOLE, decides: 'every', optional: true },
    cancelledAt: { name: 'cancelled_at', type: WHOLE, decides: 'every', optional: true },
    replayedAt: { name: 'replayed_at', type: WHOLE, decides: 'every', optional: true },
    attempt: { name: 'attempt', type: WHOLE, decides: 'every' },
    keyPrefix: { name: 'key_prefix', type: TEXT, optional: true },
    lostLeases: { name: 'lost_leases', type: WHOLE, decides: 'every', optional: true },
    checkpoint: { name: 'checkpoint', type: TEXT, decides: 'progress', optional: true },
    refused: { name: 'refused', type: FLAG, optional: true },
    retentionMs: { name: 'retention_ms', type: WHOLE },
    expiresAt: { name: 'expires_at', type: WHOLE },
  },
  lease: {
    fencingToken: { name: 'lease_token', type: TEXT, decides: 'every' },
    expiresAt: { name: 'lease_expires_at', type: WHOLE, decides: 'every' },
  },
  waiting: { reason: { name: 'waiting_reason', type: TEXT }, since: { name: 'waiting_since', type: WHOLE } },
  dropped: { reason: { name: 'dropped_reason', type: TEXT }, at: { name: 'dropped_at', type: WHOLE } },
  result: {
    status: { name: 'callback_result_status', type: WHOLE },
    body: { name: 'callback_result_body', type: TEXT },
    failures: {
      name: 'failures',
      type: json((fields, name) => fields.list(name, isStoredFailure, 'failures').map(withKnownCode)),
      optional: true,
    },
    warnings: {
      name: 'warnings',
      type: json((fields, name) => fields.list(name, isCodeAndMessage, 'warnings').filter(isWarning)),
      optional: true,
    },
    hasTable: { name: 'has_table', type: FLAG, optional: true },
    unsentReply: { name: 'unsent_reply', type: TEXT, optional: true },
  },
};

type Rows = readonly (readonly [property: string, row: FieldRow<unknown> & { readonly optional?: true | undefined }])[];

const { own, ...groups } = FIELDS;
const OWN: Rows = Object.entries(own);
const GROUPS = Object.entries(groups).map(([group, rows]) => {
  const inside: Rows = Object.entries(rows);
  return { group, rows: inside, required: inside.flatMap(([, { name, optional }]) => (optional ? [] : [name])) };
});

/** Names of the fields that must be unchanged when a transition, or one that depends on progress, is written. */
export const DECISIVE_FIELDS: Readonly<Record<'every' | 'progress', readonly string[]>> = {
  every: ['format', ...namesThatDecide('every')],
  progress: ['format', ...namesThatDecide('every'), ...namesThatDecide('progress')],
};

function namesThatDecide(on: 'every' | 'progress'): readonly string[] {
  return [OWN, ...GROUPS.map(({ rows }) => rows)].flat().flatMap(([, row]) => (row.decides === on ? [row.name] : []));
}

/**
 * Flattens a record for storage, without absent values; times are milliseconds. `completed`, `callback_result_status`
 * and `callback_result_body` are the fields of the specification, "Job status record". A record under way has the form
 * of 0.2.0, and an ended one its own.
 */
export function toRecordFields(record: JobRecord): Readonly<Record<string, string | number>> {
  const { result, state, fingerprint } = record;
  const { kid, mac } = splitFingerprint(fingerprint);
  const isEnded = state === 'finished';
  const fields: Record<string, string | number> = {
    completed: isEnded ? 1 : 0,
    format: isEnded ? ENDED_FORMAT : FORMAT,
    fingerprint: mac,
    ...(kid !== undefined && { fingerprint_kid: kid }),
  };
  const parts: Readonly<Record<string, unknown>> = result
    ? { ...record, result: withReply(result, replyToStore) }
    : { ...record };
  addFields(fields, parts, OWN);
  for (const { group, rows } of GROUPS) addFields(fields, parts[group], rows);
  return fields;
}

export function recordBytesOf(record: JobRecord): number {
  return Buffer.byteLength(JSON.stringify(toRecordFields(record)));
}

function addFields(fields: Record<string, string | number>, part: unknown, rows: Rows): void {
  if (!isObject(part)) return;
  for (const [property, { name, type }] of rows) {
    const value = part[property];
    if (value !== undefined) fields[name] = type.write(value);
  }
}

/**
 * Parses a stored record, exactly as it was written; unknown fields are ignored.
 *
 * @throws {DamagedError} when a field is missing, malformed, or contradicts another
 * @throws {NewerFormatError} when a newer version wrote it
 */
export function parseRecordFields(stored: unknown): JobRecord {
  const fields = new StoredFields('job record', stored, { isFlat: true });
  requireKnownFormat('The record of the job', fields.optionalWhole('format'), ENDED_FORMAT);
  const parts = partOf(fields, OWN);
  // Properties are set one by one, because each that follows a spread takes V8 a microsecond.
  parts['fingerprint'] = joinFingerprint({
    mac: fields.text('fingerprint'),
    kid: fields.optionalText('fingerprint_kid'),
  });
  for (const { group, rows, required } of GROUPS) if (fields.has(...required)) parts[group] = partOf(fields, rows);
  const record = parts as Readonly<Record<string, unknown>> & JobRecord; // the table has each property with its type
  const { state, result, total } = record;
  const finished = state === 'finished';
  const contradiction = `contradicts state "${state}"`;
  if (fields.whole('completed') !== (finished ? 1 : 0)) fields.damaged('completed', contradiction);
  if (finished !== (result !== undefined)) fields.damaged('callback_result_status', contradiction);
  if (result === undefined) return record;
  const failures = result.failures ?? failuresOf020(fields);
  if (failures?.some(({ from, to = from }) => to >= total)) fields.damaged('failures', 'names an item beyond the last');
  if (failures) parts['result'] = withReply({ ...result, failures }, storedReplyOf);
  return record;
}

function partOf(fields: StoredFields, rows: Rows): Record<string, unknown> {
  const part: Record<string, unknown> = {};
  for (const [property, { name, type, optional }] of rows) {
    if (!optional || fields.has(name)) part[property] = type.read(fields, name);
  }
  return part;
}

type Result = NonNullable<JobRecord['result']>;

/** Converts the reply that says what became of the items. */
function withReply(result: Result, convert: typeof replyToStore): Result {
  const { body, unsentReply, failures } = result;
  if (unsentReply !== undefined) return { ...result, unsentReply: convert(unsentReply, failures) };
  return { ...result, body: convert(body, failures) };
}

/** Fields in which 0.2.0 keeps what became of the items of an ended job. Remove them with the release after 0.3.0. */
export const FIELDS_OF_020 = ['failed_items', 'item_errors', 'failure_reasons'] as const;

/** Returns the failures in the lists of 0.2.0; undefined if no item failed. */
function failuresOf020(fields: StoredFields): readonly NotedFailure[] | undefined {
  const [failedItems, itemErrors, failureReasons] = FIELDS_OF_020;
  if (!fields.has(failedItems)) return undefined;
  const indexes = fields.list(failedItems, isWhole, 'whole numbers');
  const labels = fields.has(itemErrors) ? fields.list(itemErrors, isLabelAndCode, 'labels and codes') : [];
  const reasons = fields.has(failureReasons)
    ? fields.list(failureReasons, isReasonAndValues, 'reasons and values')
    : [];
  const failures = indexes.map((index, at) => {
    const [label, code] = labels[at] ?? [null, undefined];
    const [reason, values] = reasons[at] ?? [null, {}];
    return {
      index,
      ...(label !== null && { label }),
      code: isItemErrorCode(code) ? code : UNKNOWN_CODE,
      ...(reason !== null && { reason, values }),
    };
  });
  return notedFailures(failures).failures;
}

/** Returns true for a pair whose first part is text or null. */
function isPair(value: unknown): value is readonly [string | null, unknown] {
  return Array.isArray(value) && value.length === 2 && (value[0] === null || typeof value[0] === 'string');
}

function isLabelAndCode(value: unknown): value is readonly [label: string | null, code: string] {
  return isPair(value) && typeof value[1] === 'string';
}

function isReasonAndValues(value: unknown): value is readonly [string | null, Readonly<Record<string, unknown>>] {
  return isPair(value) && isObject(value[1]);
}

/** Code of a failure whose own code is not known: a newer version may have written it. */
const UNKNOWN_CODE: ItemErrorCode = 'InternalError';

type StoredFailure = Omit<NotedFailure, 'code'> & { readonly code: string };

function isStoredFailure(value: unknown): value is StoredFailure {
  if (!isObject(value)) return false;
  const { from, to = from, label = '', code, reason = '', values = {}, message = '' } = value;
  const isRange = isWhole(from) && isWhole(to) && from <= to;
  return isRange && [label, code, reason, message].every((text) => typeof text === 'string') && isObject(values);
}

function withKnownCode({ code, ...failure }: StoredFailure): NotedFailure {
  return { ...failure, code: isItemErrorCode(code) ? code : UNKNOWN_CODE };
}

type CodeAndMessage = Readonly<Record<'code' | 'message', string>>;

function isCodeAndMessage(value: unknown): value is CodeAndMessage {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

const WARNING_CODES: Readonly<Record<JobWarningCode, true>> = {
  Waiting: true,
  ForeignAnswer: true,
  AddressesMissing: true,
  DayNotOver: true,
  TableMissing: true,
};

function isWarning(value: CodeAndMessage): value is JobWarning {
  return Object.hasOwn(WARNING_CODES, value.code) && (!('values' in value) || isObject(value.values));
}

/** Parses a stored outcome. @throws {DamagedError} when it is invalid */
export function parseItemOutcome(stored: unknown): ItemOutcome {
  const fields = new StoredFields('outcome of an item', stored);
  const index = fields.whole('index');
  if (fields.has('createdId')) return { index, createdId: fields.whole('createdId') };
  const [code, reason, values] = [fields.value('code'), fields.value('reason'), fields.value('values')];
  return {
    index,
    failure: fields.text('failure'),
    ...(isItemErrorCode(code) && { code }),
    ...(typeof reason === 'string' && isObject(values) && { reason, values }),
  };
}
