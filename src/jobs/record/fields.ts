import { isItemErrorCode, type JobWarningCode } from '../../base/error-table.js';
import { FORMAT, requireKnownFormat, isObject, isWhole, present, StoredFields } from './stored.js';
import { joinFingerprint, splitFingerprint } from './fingerprint.js';
import {
  parseOrderer,
  type ItemOutcome,
  type JobRecord,
  type JobResult,
  type JobWarning,
  type NotedItemError,
  type NotedReason,
} from './job-record.js';

export type JobRecordField = keyof ReturnType<typeof toRecordFields>;

/**
 * Flattens a record for storage, without absent values; times are milliseconds. `completed`, `callback_result_status`
 * and `callback_result_body` are the fields of the specification, "Job status record".
 */
export function toRecordFields(record: JobRecord) {
  const { result, lease, waiting, dropped } = record;
  const { kid, mac } = splitFingerprint(record.fingerprint);
  const json = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
  return {
    completed: record.state === 'finished' ? 1 : 0,
    state: record.state,
    total: record.total,
    done: record.done,
    format: FORMAT,
    created_at: record.createdAt,
    attempt: record.attempt,
    fingerprint: mac,
    retention_ms: record.retentionMs,
    expires_at: record.expiresAt,
    ...present({
      callback_result_status: result?.status,
      callback_result_body: result?.body,
      failed_items: json(result?.failedItems),
      item_errors: json(result?.itemErrors),
      failure_reasons: json(result?.failureReasons),
      warnings: json(result?.warnings),
      unsent_reply: result?.unsentReply,
      ordered_by: json(record.orderedBy),
      started_at: record.startedAt,
      finished_at: record.finishedAt,
      cancelled_at: record.cancelledAt,
      waiting_reason: waiting?.reason,
      waiting_since: waiting?.since,
      dropped_reason: dropped?.reason,
      dropped_at: dropped?.at,
      fingerprint_kid: kid,
      lease_token: lease?.fencingToken,
      lease_expires_at: lease?.expiresAt,
      lost_leases: record.lostLeases,
      checkpoint: record.checkpoint,
      refused: record.refused && 1,
    }),
  };
}

/**
 * Parses a stored record, exactly as it was written; unknown fields are ignored.
 *
 * @throws {DamagedError} when a field is missing, malformed, or contradicts another
 * @throws {NewerFormatError} when a newer version wrote it
 */
export function parseRecordFields(stored: unknown): JobRecord {
  const fields = new StoredFields<JobRecordField>('job record', stored, { isFlat: true });
  requireKnownFormat('The record of the job', fields.optionalWhole('format'));
  const word = fields.text('state');
  const state = STATES.find((each) => each === word) ?? fields.damaged('state', `is "${word}"`);
  const result = fields.has('callback_result_status', 'callback_result_body') ? resultIn(fields) : undefined;
  const finished = state === 'finished';
  const contradiction = `contradicts state "${state}"`;
  if (fields.whole('completed') !== (finished ? 1 : 0)) fields.damaged('completed', contradiction);
  if (finished !== (result !== undefined)) fields.damaged('callback_result_status', contradiction);
  return {
    state,
    total: fields.whole('total'),
    done: fields.whole('done'),
    createdAt: fields.whole('created_at'),
    attempt: fields.whole('attempt'),
    fingerprint: joinFingerprint({ mac: fields.text('fingerprint'), kid: fields.optionalText('fingerprint_kid') }),
    retentionMs: fields.whole('retention_ms'),
    expiresAt: fields.whole('expires_at'),
    // Spreads come last, because every property that follows one takes V8 several times as long.
    ...present({
      orderedBy: fields.has('ordered_by') ? parseOrderer(fields.object('ordered_by')) : undefined,
      startedAt: fields.optionalWhole('started_at'),
      finishedAt: fields.optionalWhole('finished_at'),
      cancelledAt: fields.optionalWhole('cancelled_at'),
      waiting: fields.has('waiting_reason', 'waiting_since')
        ? { reason: fields.text('waiting_reason'), since: fields.whole('waiting_since') }
        : undefined,
      dropped: fields.has('dropped_reason', 'dropped_at')
        ? { reason: fields.text('dropped_reason'), at: fields.whole('dropped_at') }
        : undefined,
      lease: fields.has('lease_token', 'lease_expires_at')
        ? { fencingToken: fields.text('lease_token'), expiresAt: fields.whole('lease_expires_at') }
        : undefined,
      lostLeases: fields.optionalWhole('lost_leases'),
      checkpoint: fields.optionalText('checkpoint'),
      refused: fields.has('refused') ? (true as const) : undefined,
      result,
    }),
  };
}

const STATES = ['pending', 'running', 'finished'] as const satisfies readonly JobRecord['state'][];

function resultIn(fields: StoredFields<JobRecordField>): JobResult {
  const itemErrors = fields.optionalList('item_errors', isLabelAndCode, 'labels and codes');
  return {
    status: fields.whole('callback_result_status'),
    body: fields.text('callback_result_body'),
    ...present({
      failedItems: fields.optionalList('failed_items', isWhole, 'whole numbers'),
      // A newer version may have written unknown codes. The texts of `errors` are sufficient then.
      itemErrors: itemErrors?.every(isNotedItemError) ? itemErrors : undefined,
      failureReasons: fields.optionalList('failure_reasons', isNotedReason, 'reasons and values'),
      warnings: fields.optionalList('warnings', isCodeAndMessage, 'warnings')?.filter(isWarning),
      unsentReply: fields.optionalText('unsent_reply'),
    }),
  };
}

/** Returns true for a pair whose first part is text or null. */
function isPair(value: unknown): value is readonly [string | null, unknown] {
  return Array.isArray(value) && value.length === 2 && (value[0] === null || typeof value[0] === 'string');
}

type LabelAndCode = readonly [label: string | null, code: string];

function isLabelAndCode(value: unknown): value is LabelAndCode {
  return isPair(value) && typeof value[1] === 'string';
}

function isNotedItemError(value: LabelAndCode): value is NotedItemError {
  return isItemErrorCode(value[1]);
}

function isNotedReason(value: unknown): value is NotedReason {
  return isPair(value) && isObject(value[1]);
}

type CodeAndMessage = Readonly<Record<'code' | 'message', string>>;

function isCodeAndMessage(value: unknown): value is CodeAndMessage {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

const WARNING_CODES: Readonly<Record<JobWarningCode, true>> = { Waiting: true, AddressesMissing: true };

function isWarning(value: CodeAndMessage): value is JobWarning {
  return Object.hasOwn(WARNING_CODES, value.code) && (!('values' in value) || isObject(value.values));
}

/** Parses a stored outcome. @throws {DamagedError} when it is invalid */
export function parseItemOutcome(stored: unknown): ItemOutcome {
  const fields = new StoredFields<keyof ItemOutcome>('outcome of an item', stored);
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
