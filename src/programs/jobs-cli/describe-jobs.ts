import type { DeadLetter } from '../../jobs/record/job-queue.js';
import type { JobRecord, JobIdentity, Orderer } from '../../jobs/record/job-record.js';
import { terminalTable, wrappedText } from '../process/terminal.js';
import type { SettledDeadLetter } from './dead-letters.js';
import {
  MOST_COUNTED,
  outcomeOf,
  type CountedOrganisations,
  type JobView,
  type ListedJobs,
  type QueueFigures,
} from './job-view.js';

/*
 * Each answer is one for other programs, printed as JSON, and its text is made of it. Points in time are RFC 3339;
 * absent values are null. In texts, ids and reasons are never cut: in lists they have separate lines, and longer texts
 * are wrapped.
 */

const INDENT = '  ';

/** @param failed numbers of their failed items */
export function deadLettersAnswer(deadLetters: readonly DeadLetter[], failed: readonly number[]) {
  return {
    deadLetters: deadLetters.map((each, index) => ({
      ...identity(each.message),
      outcome: 'failure',
      failedCount: failed[index] ?? 0,
      ...deathOf(each),
    })),
  };
}

/** Formats dead letters: a table row for each, with the job id and the reason below. */
export function deadLettersText({ deadLetters }: ReturnType<typeof deadLettersAnswer>, maxWidth: number): string {
  if (deadLetters.length === 0) return 'There are no dead letters.';
  const headings = ['DIED AT', 'KIND', 'ORG', 'ATTEMPTS', 'FAILED ITEMS'];
  const cells = deadLetters.map(({ kind, org, diedAt, attempts, failedCount }) => [
    timeText(diedAt),
    kind,
    org ?? '-',
    `${attempts}`,
    `${failedCount}`,
  ]);
  const [heading = '', rule = '', ...rows] = terminalTable(cells, { headings, maxWidth });
  const blocks = deadLetters.flatMap(({ jobId, reason }, index) => {
    return [rows[index] ?? '', ...indented(jobId, maxWidth), ...indented(reason, maxWidth)];
  });
  return [heading, rule, ...blocks].join('\n');
}

export function jobsAnswer({ jobs, hasMore }: ListedJobs) {
  const answers = jobs.map(({ job, record, failed: failedCount }) => {
    return { ...changeAnswer(job, record), failedCount, ...datesOf(record) };
  });
  return { jobs: answers, hasMore };
}

/** Formats jobs of an organisation: a line for each, with the job id below. */
export function jobsText({ jobs, hasMore }: ReturnType<typeof jobsAnswer>, maxWidth: number): string {
  if (jobs.length === 0) return 'There are no such jobs.';
  const lines = jobs.flatMap(({ jobId, kind, createdAt, orderedBy, failedCount, ...change }) => {
    const failed = failedCount > 0 ? `  ${failedCount} failed` : '';
    const orderer = orderedBy ? `  ordered by ${ordererText(orderedBy)}` : '';
    return [`${timeText(createdAt)}  ${kind}  ${changeText(change)}${failed}${orderer}`, ...indented(jobId, maxWidth)];
  });
  return [...lines, ...(hasMore ? ['Older jobs are left out. --limit N lists more.'] : [])].join('\n');
}

export function organisationsAnswer({ counts, hasMore }: CountedOrganisations) {
  return { organisations: counts.map(([org = null, jobs]) => ({ org, jobs })), hasMore };
}

export function organisationsText(
  { organisations, hasMore }: ReturnType<typeof organisationsAnswer>,
  maxWidth: number,
): string {
  const rows = organisations.map(({ org, jobs }) => [org ?? '""', `${jobs}`]);
  const table =
    rows.length === 0 ? ['There are no such jobs.'] : terminalTable(rows, { headings: ['ORG', 'JOBS'], maxWidth });
  const more = `Only ${MOST_COUNTED} jobs were counted, and there are more. --org ORG lists all of one organisation.`;
  return [...table, ...(hasMore ? wrappedText(more, maxWidth) : [])].join('\n');
}

const APPROXIMATE = 'The queue counts its messages approximately; those that come later are among those in hand.';

export function queueAnswer(queue: readonly QueueFigures[]) {
  return { queue, ...(queue.some(({ delayed }) => delayed === null) && { approximate: true }) };
}

export function queueText({ queue, approximate }: ReturnType<typeof queueAnswer>, maxWidth: number): string {
  const headings = ['KIND', 'WAITING', 'DELAYED', 'IN HAND', 'DEAD LETTERS', 'OLDEST'];
  const rows = queue.map(({ kind, waiting, delayed, inHand, deadLetters, oldestSeconds }) => [
    kind,
    ...[waiting, delayed, inHand, deadLetters].map((count) => (count === null ? '-' : `${count}`)),
    oldestSeconds === null ? '-' : ageText(oldestSeconds),
  ]);
  const table = terminalTable(rows, { headings, maxWidth });
  return [...table, ...(approximate ? wrappedText(APPROXIMATE, maxWidth) : [])].join('\n');
}

export function jobAnswer({ job, record, queued, deadLetter, failures, again }: JobView) {
  return {
    ...changeAnswer(job, record),
    ...datesOf(record),
    dropped: record?.dropped ? { reason: record.dropped.reason, at: time(record.dropped.at) } : null,
    leasedUntil: time(record?.lease?.expiresAt),
    keptUntil: time(record?.expiresAt),
    reply: record?.result ? { status: record.result.status, body: JSON.parse(record.result.body) as unknown } : null,
    failedItems: failures,
    queue: queued ? { state: queued.state, attempts: queued.attempts, dueAt: time(queued.dueAt) } : null,
    deadLetter: deadLetter ? deathOf(deadLetter) : null,
    startedAgain: again ? { jobId: again.job.jobId, state: again.record.state } : null,
  };
}

type JobAnswer = ReturnType<typeof jobAnswer>;

/** Formats a job: place, progress and the reason of each failed item. */
export function jobText(job: JobAnswer, maxWidth: number): string {
  const { queue, deadLetter, failedItems, startedAgain } = job;
  const due = queue?.dueAt ? ` until ${timeText(queue.dueAt)}` : '';
  const rows: readonly LabelledValue[] = [
    ['Job', job.jobId],
    ['Kind', job.kind],
    ['Organisation', job.org ?? '-'],
    ['Queue', queue && `${queue.state}${due}, ${queue.attempts} attempts begun`],
    ['Dead letter', deadLetter && timeText(deadLetter.diedAt)],
    ['After', deadLetter && `${deadLetter.attempts} attempts`],
    ['Because', deadLetter && deadLetter.reason],
    ...(job.state === null ? [['Record', 'expired'] as const] : recordRows(job, job.state)),
    ['Started again', startedAgain && `${startedAgain.jobId} (${startedAgain.state.toUpperCase()})`],
  ];
  const shown = rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
  const labelWidth = Math.max(...shown.map(({ label }) => label.length)) + INDENT.length;
  const lines = shown.flatMap(({ label, value }) => labelled(label, value, labelWidth, maxWidth));
  if (failedItems.length === 0) return lines.join('\n');
  const width = Math.max(...failedItems.map(({ index }) => `[${index}]`.length)) + INDENT.length;
  const failures = failedItems.flatMap(({ index, reason }) =>
    labelled(`[${index}]`, reason ?? 'failed', width, maxWidth),
  );
  return [...lines, '', ...failures].join('\n');
}

/** Line of a job; without a value it is left out. */
type LabelledValue = readonly [label: string, value: string | null];

function recordRows(
  { progress, waiting, dropped, reply, ...job }: JobAnswer,
  state: JobRecord['state'],
): LabelledValue[] {
  const failed = job.failedItems.length;
  return [
    ['State', state.toUpperCase()],
    ['Progress', progress && progressText(progress)],
    ['Failed items', `${failed}`],
    ['Claimed', `${job.claims ?? 0} times`],
    ['Waiting', waiting && `${waiting.reason}, since ${timeText(waiting.since)}`],
    ['Ordered by', job.orderedBy && ordererText(job.orderedBy)],
    ['Created', timeText(job.createdAt)],
    ['Started', timeText(job.startedAt)],
    ['Finished', timeText(job.finishedAt)],
    ['Replayed', job.replayedAt && timeText(job.replayedAt)],
    ['Cancelled', job.cancelledAt && timeText(job.cancelledAt)],
    ['Dropped', dropped && `${timeText(dropped.at)}, ${dropped.reason}`],
    ['Leased until', timeText(job.leasedUntil)],
    ['Kept until', timeText(job.keptUntil)],
    ['Reply', reply === null ? '-' : `${reply.status} ${replyText(reply.body, failed > 0)}`],
  ];
}

/** Returns what may change of a job while it is followed; all of it is null without a record. */
export function changeAnswer(job: JobIdentity, record: JobRecord | undefined) {
  return {
    ...identity(job),
    state: record?.state ?? null,
    outcome: outcomeOf(record) ?? null,
    progress: record ? { done: record.done, total: record.total } : null,
    claims: record?.attempt ?? null,
    cancelledAt: time(record?.cancelledAt),
    waiting: record?.waiting ? { reason: record.waiting.reason, since: time(record.waiting.since) } : null,
  };
}

type Change = Omit<ReturnType<typeof changeAnswer>, keyof ReturnType<typeof identity>>;

/** Describes in a line what may change of a job while it is followed. */
export function changeText({ state, outcome, progress, claims, waiting, cancelledAt }: Change): string {
  const notes = [
    claims !== null && claims > 1 ? `claimed ${claims} times` : '',
    waiting ? `waiting: ${waiting.reason}` : '',
    cancelledAt === null ? '' : 'cancelled',
  ].filter((note) => note !== '');
  const begin = (state ?? '').toUpperCase().padEnd('FINISHED'.length);
  const end = outcome === null ? [] : [outcome];
  return [begin, ...end, progress ? progressText(progress) : '', notes.join(', ')].join('  ').trimEnd();
}

export function settledAnswer(settled: SettledDeadLetter) {
  const { job, outcome, jobId: startedJobId = null, items = null, unfinished = null, reason = null } = settled;
  return { ...identity(job), outcome, startedJobId, items, unfinished, reason };
}

export function settledText(
  { jobId, outcome, startedJobId, items, unfinished, reason }: ReturnType<typeof settledAnswer>,
  { name, dryRun }: { readonly name: string; readonly dryRun: boolean },
): string {
  const done = name === 'drop' ? 'dropped' : 'replayed';
  if (outcome === 'refused') return `Job ${jobId} is not ${done}: ${reason ?? ''}`;
  if (outcome === 'left out') return `Job ${jobId} is left out: ${reason ?? ''}`;
  const is = dryRun ? 'would be' : 'is';
  if (outcome === 'cancelled') return `Job ${jobId} ${is} cancelled: it begins no further items.`;
  if (outcome === 'dropped') return `The dead letter of job ${jobId} ${is} dropped.`;
  if (startedJobId === null) return `Job ${jobId} ${is} delivered again.`;
  const rest = unfinished ? ` ${unfinished} items were not done; replay the job itself for those.` : '';
  return `Job ${startedJobId} ${is} started with the ${items ?? 0} items that failed.${rest}`;
}

function identity({ kind, org, jobId }: JobIdentity) {
  return { jobId, kind, org: org ?? null };
}

function datesOf(record: JobRecord | undefined) {
  return {
    orderedBy: record?.orderedBy ?? null,
    createdAt: time(record?.createdAt),
    startedAt: time(record?.startedAt),
    finishedAt: time(record?.finishedAt),
    replayedAt: time(record?.replayedAt),
  };
}

function deathOf({ diedAt, attempts, reason }: DeadLetter) {
  return { diedAt: time(diedAt), attempts, reason };
}

function time(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}

/** Formats a point in time, RFC 3339 or milliseconds since 1970, to the second; a dash without one. */
export function timeText(at: string | number | null): string {
  return at === null ? '-' : `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function progressText({ done, total }: { readonly done: number; readonly total: number }): string {
  return `${done} of ${total}`;
}

function ordererText({ BackendUser, LoggedInId }: Orderer): string {
  return LoggedInId === undefined ? BackendUser : `${BackendUser} (logged in as ${LoggedInId})`;
}

/** Returns the reply without its error texts if these are shown separately, below. */
function replyText(reply: unknown, showsFailures: boolean): string {
  if (!showsFailures || typeof reply !== 'object' || reply === null) return JSON.stringify(reply);
  return JSON.stringify({ ...reply, errors: undefined, errorList: undefined });
}

function labelled(label: string, text: string, labelWidth: number, maxWidth: number): string[] {
  const lines = wrappedText(text, Math.max(maxWidth - labelWidth, MIN_WIDTH));
  return lines.map((line, index) => `${(index === 0 ? label : '').padEnd(labelWidth)}${line}`);
}

/** Minimum width of wrapped texts, even on a narrower terminal. */
const MIN_WIDTH = 20;

function indented(text: string, maxWidth: number): string[] {
  return labelled('', text, INDENT.length, maxWidth);
}

/** Formats an age in the largest unit that it contains at least twice. */
function ageText(seconds: number): string {
  const units = { d: 86_400, h: 3_600, min: 60 };
  const [name, size] = Object.entries(units).find((unit) => seconds >= 2 * unit[1]) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${name}`;
}
