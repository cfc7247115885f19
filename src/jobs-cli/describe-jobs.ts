import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobRecord } from '../job-record/job-record.js';
import type { Orderer } from '../job-record/orderer.js';
import { terminalTable } from '../process/terminal-table.js';
import { wrappedText } from '../process/wrapped-text.js';
import type { ItemFailure } from './item-failures.js';
import type { JobView } from './job-view.js';
import type { QueueFigures } from './queue-figures.js';

/*
 * Answers as text. An id, or a reason, is never cut: lists have lines of their own for them, longer texts are wrapped.
 */

const INDENT = '  ';

/** Dead letters: a row of a table each, its job below it, and why it died. */
export function listText(letters: readonly DeadLetter[], maxWidth: number): string {
  if (letters.length === 0) return 'There are no dead letters.';
  const headings = ['DIED AT', 'KIND', 'ORG', 'ATTEMPTS'];
  const [heading = '', rule = '', ...rows] = terminalTable(
    letters.map(({ message: { kind, org }, diedAt, attempts }) => [timeText(diedAt), kind, org ?? '-', `${attempts}`]),
    { headings, maxWidth },
  );
  const blocks = letters.flatMap(({ message, reason }, index) => [
    rows[index] ?? '',
    ...indented(message.jobId, maxWidth),
    ...indented(reason, maxWidth),
  ]);
  return [heading, rule, ...blocks].join('\n');
}

const APPROXIMATE = 'The queue counts its messages approximately; those that come later are among those in hand.';

/** How much waits in the queue. */
export function queueText(figures: readonly QueueFigures[], approximate: boolean, maxWidth: number): string {
  const headings = ['KIND', 'WAITING', 'DELAYED', 'IN HAND', 'DEAD LETTERS', 'OLDEST'];
  const rows = figures.map(({ kind, waiting, delayed, inHand, deadLetters, oldestSeconds }) => [
    kind,
    ...[waiting, delayed, inHand, deadLetters].map((count) => (count === null ? '-' : `${count}`)),
    oldestSeconds === null ? '-' : ageText(oldestSeconds),
  ]);
  const table = terminalTable(rows, { headings, maxWidth });
  return [...table, ...(approximate ? wrappedText(APPROXIMATE, maxWidth) : [])].join('\n');
}

/** A job: where it is, how far it is, and what became of each item that failed. Never its payload. */
export function jobText({ job, record, queued, letter, failures, again }: JobView, maxWidth: number): string {
  const rows = [
    ['Job', job.jobId],
    ['Kind', job.kind],
    ['Organisation', job.org ?? '-'],
    ...(queued ? [['Queue', queueState(queued)]] : []),
    ...(letter ? letterRows(letter) : []),
    ...(record ? recordRows(record, failures) : [['Record', 'expired']]),
    ...(again ? [['Started again', `${again.job.jobId} (${again.record.state.toUpperCase()})`]] : []),
  ];
  const labelWidth = Math.max(...rows.map(([label = '']) => label.length)) + INDENT.length;
  const lines = rows.flatMap(([label = '', value = '']) => labelled(label, value, labelWidth, maxWidth));
  return [...lines, ...failureLines(failures, maxWidth)].join('\n');
}

function queueState({ state, dueAt, attempts }: NonNullable<JobView['queued']>): string {
  const due = dueAt === undefined ? '' : ` until ${timeText(dueAt)}`;
  return `${state}${due}, ${attempts} attempts begun`;
}

function letterRows({ diedAt, attempts, reason }: DeadLetter): string[][] {
  return [
    ['Dead letter', timeText(diedAt)],
    ['After', `${attempts} attempts`],
    ['Because', reason],
  ];
}

function recordRows({ lease, result, ...record }: JobRecord, failures: readonly ItemFailure[]): string[][] {
  return [
    ['State', record.state.toUpperCase()],
    ['Progress', `${record.done} of ${record.total}`],
    ['Failed items', `${failures.length}`],
    ['Claimed', `${record.attempt} times`],
    ...(record.orderedBy ? [['Ordered by', ordererText(record.orderedBy)]] : []),
    ['Created', timeText(record.createdAt)],
    ['Started', record.startedAt === undefined ? '-' : timeText(record.startedAt)],
    ['Finished', record.finishedAt === undefined ? '-' : timeText(record.finishedAt)],
    ...(record.cancelledAt === undefined ? [] : [['Cancelled', timeText(record.cancelledAt)]]),
    ['Leased until', lease === undefined ? '-' : timeText(lease.expiresAt)],
    ['Kept until', timeText(record.expiresAt)],
    ['Reply', result === undefined ? '-' : `${result.status} ${replyText(result.body, failures.length > 0)}`],
  ];
}

function ordererText({ BackendUser, LoggedInId }: Orderer): string {
  return LoggedInId === undefined ? BackendUser : `${BackendUser} (logged in as ${LoggedInId})`;
}

/** The texts of what failed are shown by themselves, below. */
function replyText(body: string, showsFailures: boolean): string {
  const reply: unknown = JSON.parse(body);
  if (!showsFailures || typeof reply !== 'object' || reply === null) return body;
  return JSON.stringify({ ...reply, errors: undefined, errorList: undefined });
}

function failureLines(failures: readonly ItemFailure[], maxWidth: number): string[] {
  if (failures.length === 0) return [];
  const width = Math.max(...failures.map(({ index }) => `[${index}]`.length)) + INDENT.length;
  return ['', ...failures.flatMap(({ index, reason }) => labelled(`[${index}]`, reason ?? 'failed', width, maxWidth))];
}

/** A text beside its label, wrapped. */
function labelled(label: string, text: string, labelWidth: number, maxWidth: number): string[] {
  const lines = wrappedText(text, Math.max(maxWidth - labelWidth, MIN_WIDTH));
  return lines.map((line, index) => `${(index === 0 ? label : '').padEnd(labelWidth)}${line}`);
}

/** Texts are not wrapped any narrower, however narrow the terminal is. */
const MIN_WIDTH = 20;

function indented(text: string, maxWidth: number): string[] {
  return labelled('', text, INDENT.length, maxWidth);
}

/** A point in time to the second (RFC 3339). @param milliseconds since 1970 */
export function timeText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** An age by its largest unit and the next one. */
function ageText(seconds: number): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first < 0) return '0 s';
  let rest = seconds;
  const parts = UNITS.slice(first, first + 2).map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? '' : `${count} ${name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
