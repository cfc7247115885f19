import type { DeadLetter } from '../../jobs/record/job-queue.js';
import type { JobRecord, JobIdentity, Orderer } from '../../jobs/record/job-record.js';
import { terminalTable, wrappedText } from '../process/terminal-table.js';
import type { JobsCommand } from './command-line.js';
import type { FailedItem, SettledDeadLetter } from './dead-letters.js';
import type { JobView, ListedJobs } from './job-view.js';
import type { QueueFigures } from './queue-figures.js';

/*
 * Answers as text. Ids and reasons are never cut: in lists they have separate lines, and longer texts are wrapped.
 */

const INDENT = '  ';

/** Formats dead letters: a table row for each, with the job id and the reason below. */
export function listText(deadLetters: readonly DeadLetter[], maxWidth: number): string {
  if (deadLetters.length === 0) return 'There are no dead letters.';
  const headings = ['DIED AT', 'KIND', 'ORG', 'ATTEMPTS'];
  const cells = deadLetters.map(({ message: { kind, org }, diedAt, attempts }) => {
    return [timeText(diedAt), kind, org ?? '-', `${attempts}`];
  });
  const [heading = '', rule = '', ...rows] = terminalTable(cells, { headings, maxWidth });
  const blocks = deadLetters.flatMap(({ message, reason }, index) => {
    return [rows[index] ?? '', ...indented(message.jobId, maxWidth), ...indented(reason, maxWidth)];
  });
  return [heading, rule, ...blocks].join('\n');
}

/** Formats jobs of an organisation: a line for each, with the job id below. */
export function jobsText({ jobs, hasMore }: ListedJobs, maxWidth: number): string {
  if (jobs.length === 0) return 'There are no such jobs.';
  const lines = jobs.flatMap(({ job, record }) => {
    const orderer = record.orderedBy ? `  ordered by ${ordererText(record.orderedBy)}` : '';
    const line = `${timeText(record.createdAt)}  ${job.kind}  ${changeText(record)}${orderer}`;
    return [line, ...indented(job.jobId, maxWidth)];
  });
  return [...lines, ...(hasMore ? ['Older jobs are left out. --limit N lists more.'] : [])].join('\n');
}

const APPROXIMATE = 'The queue counts its messages approximately; those that come later are among those in hand.';

/** Formats the figures of the queue as a table. */
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

/** Formats a job: place, progress and the reason of each failed item. Never shows its payload. */
export function jobText({ job, record, queued, deadLetter, failures, again }: JobView, maxWidth: number): string {
  const due = queued?.dueAt === undefined ? '' : ` until ${timeText(queued.dueAt)}`;
  const rows: readonly Row[] = [
    ['Job', job.jobId],
    ['Kind', job.kind],
    ['Organisation', job.org ?? '-'],
    ['Queue', queued && `${queued.state}${due}, ${queued.attempts} attempts begun`],
    ['Dead letter', deadLetter && timeText(deadLetter.diedAt)],
    ['After', deadLetter && `${deadLetter.attempts} attempts`],
    ['Because', deadLetter?.reason],
    ...(record ? recordRows(record, failures) : [['Record', 'expired'] as const]),
    ['Started again', again && `${again.job.jobId} (${again.record.state.toUpperCase()})`],
  ];
  const shown = rows.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
  const labelWidth = Math.max(...shown.map(({ label }) => label.length)) + INDENT.length;
  const lines = shown.flatMap(({ label, value }) => labelled(label, value, labelWidth, maxWidth));
  return [...lines, ...failureLines(failures, maxWidth)].join('\n');
}

/** Line of a job; without a value it is left out. */
type Row = readonly [label: string, value: string | undefined];

/** Describes the outcome of a command for a job in a sentence. */
export function settledText(
  { job, outcome, jobId, items = 0, unfinished = 0, reason }: SettledDeadLetter,
  { name, dryRun }: JobsCommand,
): string {
  const done = name === 'drop' ? 'dropped' : 'replayed';
  if (outcome === 'refused') return `Job ${job.jobId} is not ${done}: ${reason ?? ''}`;
  if (outcome === 'left out') return `Job ${job.jobId} is left out: ${reason ?? ''}`;
  const is = dryRun ? 'would be' : 'is';
  if (outcome === 'cancelled') return `Job ${job.jobId} ${is} cancelled: it begins no further items.`;
  if (outcome === 'dropped') return `The dead letter of job ${job.jobId} ${is} dropped.`;
  if (jobId === undefined) return `Job ${job.jobId} ${is} delivered again.`;
  const rest = unfinished > 0 ? ` ${unfinished} items were not done; replay the job itself for those.` : '';
  return `Job ${jobId} ${is} started with the ${items} items that failed.${rest}`;
}

/** Describes in a line what may change of a job while it is followed. */
export function changeText({ state, done, total, attempt, waiting, cancelledAt }: JobRecord): string {
  const notes = [
    attempt > 1 ? `claimed ${attempt} times` : '',
    waiting ? `waiting: ${waiting.reason}` : '',
    cancelledAt === undefined ? '' : 'cancelled',
  ].filter((note) => note !== '');
  return [state.toUpperCase().padEnd('FINISHED'.length), `${done} of ${total}`, notes.join(', ')].join('  ').trimEnd();
}

function recordRows({ lease, result, waiting, dropped, ...record }: JobRecord, failures: readonly FailedItem[]): Row[] {
  return [
    ['State', record.state.toUpperCase()],
    ['Progress', `${record.done} of ${record.total}`],
    ['Failed items', `${failures.length}`],
    ['Claimed', `${record.attempt} times`],
    ['Waiting', waiting && `${waiting.reason}, since ${timeText(waiting.since)}`],
    ['Ordered by', record.orderedBy && ordererText(record.orderedBy)],
    ['Created', timeText(record.createdAt)],
    ['Started', timeText(record.startedAt)],
    ['Finished', timeText(record.finishedAt)],
    ['Cancelled', record.cancelledAt === undefined ? undefined : timeText(record.cancelledAt)],
    ['Dropped', dropped && `${timeText(dropped.at)}, ${dropped.reason}`],
    ['Leased until', timeText(lease?.expiresAt)],
    ['Kept until', timeText(record.expiresAt)],
    ['Reply', result === undefined ? '-' : `${result.status} ${replyText(result.body, failures.length > 0)}`],
  ];
}

function ordererText({ BackendUser, LoggedInId }: Orderer): string {
  return LoggedInId === undefined ? BackendUser : `${BackendUser} (logged in as ${LoggedInId})`;
}

/** Returns the reply without its error texts if these are shown separately, below. */
function replyText(body: string, showsFailures: boolean): string {
  const reply: unknown = JSON.parse(body);
  if (!showsFailures || typeof reply !== 'object' || reply === null) return body;
  return JSON.stringify({ ...reply, errors: undefined, errorList: undefined });
}

function failureLines(failures: readonly FailedItem[], maxWidth: number): string[] {
  if (failures.length === 0) return [];
  const width = Math.max(...failures.map(({ index }) => `[${index}]`.length)) + INDENT.length;
  return ['', ...failures.flatMap(({ index, reason }) => labelled(`[${index}]`, reason ?? 'failed', width, maxWidth))];
}

/** Formats a wrapped text beside its label. */
function labelled(label: string, text: string, labelWidth: number, maxWidth: number): string[] {
  const lines = wrappedText(text, Math.max(maxWidth - labelWidth, MIN_WIDTH));
  return lines.map((line, index) => `${(index === 0 ? label : '').padEnd(labelWidth)}${line}`);
}

/** Minimum width of wrapped texts, even on a narrower terminal. */
const MIN_WIDTH = 20;

function indented(text: string, maxWidth: number): string[] {
  return labelled('', text, INDENT.length, maxWidth);
}

/** Formats a point in time, in milliseconds since 1970, to the second (RFC 3339); a dash without one. */
export function timeText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Formats an age in the largest unit that it contains at least twice. */
function ageText(seconds: number): string {
  const units = { d: 86_400, h: 3_600, min: 60 };
  const [name, size] = Object.entries(units).find((unit) => seconds >= 2 * unit[1]) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${name}`;
}

/*
 * Answers as JSON, for other programs. Points in time are RFC 3339; absent values are null.
 */

export function listJson(deadLetters: readonly DeadLetter[]): unknown {
  return { deadLetters: deadLetters.map((each) => ({ ...identity(each.message), ...deadLetterJson(each) })) };
}

export function jobsJson({ jobs, hasMore }: ListedJobs): unknown {
  return { jobs: jobs.map(({ job, record }) => summaryJson(job, record)), hasMore };
}

/** Returns a job, without its payload. */
export function jobJson({ job, record, queued, deadLetter, failures, again }: JobView): unknown {
  return {
    ...summaryJson(job, record),
    dropped: record?.dropped ? { reason: record.dropped.reason, at: time(record.dropped.at) } : null,
    leasedUntil: time(record?.lease?.expiresAt),
    keptUntil: time(record?.expiresAt),
    reply: record?.result ? { status: record.result.status, body: JSON.parse(record.result.body) as unknown } : null,
    failedItems: failures,
    queue: queued ? { state: queued.state, attempts: queued.attempts, dueAt: time(queued.dueAt) } : null,
    deadLetter: deadLetter ? deadLetterJson(deadLetter) : null,
    startedAgain: again ? { jobId: again.job.jobId, state: again.record.state } : null,
  };
}

function summaryJson(job: JobIdentity, record: JobRecord | undefined): object {
  return {
    ...identity(job),
    ...progressJson(record),
    orderedBy: record?.orderedBy ?? null,
    createdAt: time(record?.createdAt),
    startedAt: time(record?.startedAt),
    finishedAt: time(record?.finishedAt),
  };
}

/** Returns what may change of a job while it is followed. */
export function changeJson(job: JobIdentity, record: JobRecord): object {
  return { ...identity(job), ...progressJson(record) };
}

function progressJson(record: JobRecord | undefined): object {
  return {
    state: record?.state ?? null,
    progress: record ? { done: record.done, total: record.total } : null,
    claims: record?.attempt ?? null,
    cancelledAt: time(record?.cancelledAt),
    waiting: record?.waiting ? { reason: record.waiting.reason, since: time(record.waiting.since) } : null,
  };
}

export function settledJson(settled: readonly SettledDeadLetter[], dryRun: boolean): unknown {
  const jobs = settled.map(
    ({ job, outcome, jobId: startedJobId = null, items = null, unfinished = null, reason = null }) => {
      return { ...identity(job), outcome, startedJobId, items, unfinished, reason };
    },
  );
  return { dryRun, jobs };
}

function identity({ kind, org, jobId }: JobIdentity): object {
  return { jobId, kind, org: org ?? null };
}

function deadLetterJson({ diedAt, attempts, reason }: DeadLetter): object {
  return { diedAt: time(diedAt), attempts, reason };
}

function time(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
