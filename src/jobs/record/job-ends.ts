import type { components } from '../../../generated/gateway.js';
import { ERRORS, textOf, type ItemReason } from '../../base/error-table.js';
import { ItemFailure } from '../../base/errors.js';
import { errorPlace, failureCount, notedFailures } from './job-failures.js';
import type { JobKind } from './job-kinds.js';
import type { ItemOutcome, JobRecord, JobResult } from './job-record.js';
import type { Ending } from './job-store.js';
import { present } from './stored-fields.js';

type Schemas = components['schemas'];

/** Result of a job that ran to its end. */
export interface JobEnd extends Pick<JobResult, 'failures' | 'warnings' | 'hasTable'> {
  readonly reply: object;
}

export function resultOf({ reply, ...noted }: JobEnd): JobResult {
  return { status: 200, body: JSON.stringify(reply), ...present(noted) };
}

/** Status and body in the record of a job that has ended too many of its owners. */
export const GIVEN_UP = { status: 500, body: JSON.stringify({ message: textOf('JobGivenUp') }) };

export interface BulkOutcome extends Omit<JobEnd, 'reply'> {
  readonly createdIds: readonly number[];
  /** `[index] label: reason`, index from 0. */
  readonly errors: readonly string[];
}

export interface BulkCheckpoint {
  /** Index of the first unfinished item. */
  readonly next: number;
  /** Attempt that stopped in an orderly way: the first unfinished item was not begun. */
  readonly stoppedIn?: number;
}

/** Properties of a bulk kind of job on which its end depends. */
export interface BulkRow {
  /**
   * True if repeating an item changes nothing. Its checkpoint is then written while the next item is processed, so that
   * a crash leaves two items in doubt instead of one.
   */
  readonly repeatable: boolean;
  /** Returns `data` of the reply; no reply has it if absent. */
  readonly dataOf?: (createdIds: readonly number[]) => object;
}

export const BULK_ROWS = {
  'user-accounts': {
    repeatable: false,
    dataOf: (createdIds: readonly number[]): Schemas['BulkUserAccountReply']['data'] & object => ({
      created_user_account_id: [...createdIds],
    }),
  },
  mobiles: { repeatable: true },
} as const satisfies Partial<Record<JobKind, BulkRow>>;

type EndedBecause = 'cancelled' | 'given up';

/** Failures of the items that may have been begun, and of those that were not, by the reason of the job's end. */
const REASONS = { cancelled: ['NotKnown', 'NotBegun'], 'given up': ['NotKnownGivenUp', 'NotBegunGivenUp'] } as const;

/**
 * Makes the end of a job that is not running, from what its record and the outcomes of its items say. Items that a dead
 * attempt may have begun are not known to be done. Labels are missing, because only the body has them.
 *
 * @param items outcomes so far, in order; undefined if unreadable, and then no item is known to be done
 * @param delivery status and body of a dead letter, for operators. Users read what became of the items, unless no
 * delivery ever began the job. Absent for a job that was cancelled, which counts as handled.
 */
export function endWithoutRun(
  kind: JobKind,
  record: Pick<JobRecord, 'total' | 'attempt' | 'done' | 'checkpoint'>,
  items: readonly ItemOutcome[] | undefined,
  delivery?: Pick<JobResult, 'status' | 'body'>,
): Ending {
  const { attempt, done } = record;
  if (delivery && attempt === 0) return { attempt, done, result: delivery };
  const why = delivery ? 'given up' : 'cancelled';
  const rows: Partial<Record<JobKind, BulkRow>> = BULK_ROWS;
  const row = rows[kind];
  const result = resultOf(row ? bulkEnd(row, record, items, why) : reportEnd(record.total, why));
  return { attempt, done, result: delivery ? { ...result, ...delivery, unsentReply: result.body } : result };
}

function reportEnd(total: number, why: EndedBecause): JobEnd {
  const [, reason] = REASONS[why];
  const { item: code, text: message } = ERRORS[reason];
  const reply: Schemas['DrivingReportReply'] = {
    key: '',
    errorList: [{ mobileId: '', employeeCode: '', code, message }],
  };
  return { reply, ...(total > 0 && { failures: [{ from: 0, to: total - 1, code, reason }] }) };
}

function bulkEnd(
  row: BulkRow,
  { total, attempt, checkpoint }: Pick<JobRecord, 'total' | 'attempt' | 'checkpoint'>,
  items: readonly ItemOutcome[] | undefined,
  why: EndedBecause,
): JobEnd {
  const { first, inDoubtBefore } = placeIn(checkpoint, attempt + 1, row.repeatable);
  const begunBefore = Math.min(inDoubtBefore, total);
  const [notKnown, notBegun] = REASONS[why];
  const begun = allFailed(items ? first : 0, begunBefore, notKnown);
  return endOfBulk(row, summary([...(items ?? []), ...begun, ...allFailed(begunBefore, total, notBegun)]));
}

/** Returns the outcomes of the items from an index up to another one, which all failed for one reason. */
export function allFailed(from: number, end: number, reason: ItemReason): readonly ItemOutcome[] {
  const { message, code } = new ItemFailure(reason);
  return Array.from({ length: end - from }, (_, at) => ({ index: from + at, failure: message, code, reason }));
}

/** Returns the first item of an attempt, and the index before which items are in doubt. */
export function placeIn(
  checkpoint: string | undefined,
  attempt: number,
  repeatable: boolean,
): { readonly first: number; readonly inDoubtBefore: number } {
  // Only bulk jobs write checkpoints, never a caller.
  const { next: first, stoppedIn } = JSON.parse(checkpoint ?? '{"next":0}') as BulkCheckpoint;
  const stoppedInOrder = attempt === 1 || stoppedIn === attempt - 1;
  return { first, inDoubtBefore: stoppedInOrder ? first : first + (repeatable ? 2 : 1) };
}

/** @param labels those of all items; none if the job is not running, so that no reply says the messages */
export function summary(outcomes: readonly ItemOutcome[], labels?: readonly string[]): BulkOutcome {
  const failures = outcomes.flatMap(({ failure: message, createdId: _none, code = 'InternalError', ...outcome }) => {
    if (message === undefined) return [];
    const label = labels?.[outcome.index];
    return [{ ...outcome, ...(label !== undefined && { label }), code, message }];
  });
  const noted = labels ? failures.map(({ message: _replied, ...failure }) => failure) : failures;
  return {
    createdIds: outcomes.flatMap(({ createdId }) => createdId ?? []),
    errors: failures.map((failure) => `${errorPlace(failure)}${failure.message}`),
    ...notedFailures(noted),
  };
}

/** Returns the numbers of the items of an ended job. Those of a job that was never begun have failed. */
export function itemsOf(
  total: number,
  { status, failures, unsentReply }: JobResult,
): Readonly<Record<'done' | 'failed' | 'cancelled', number>> {
  const wasNeverBegun = status !== 200 && unsentReply === undefined;
  const notDone = wasNeverBegun ? total : failureCount(failures);
  const cancelled = failureCount(failures?.filter(({ reason }) => reason === 'NotBegun'));
  return { done: total - notDone, failed: notDone - cancelled, cancelled };
}

/** Returns the end of a bulk job, whose reply says `Success`, or `Failure` with one text for each failed item. */
export function endOfBulk({ dataOf }: BulkRow, { createdIds, errors, ...end }: BulkOutcome): JobEnd {
  const isSuccess = errors.length === 0;
  const reply = {
    status: isSuccess ? 'Success' : 'Failure',
    ...(dataOf && (isSuccess || createdIds.length > 0) && { data: dataOf(createdIds) }),
    ...(!isSuccess && { errors }),
  };
  return { reply, ...end };
}
