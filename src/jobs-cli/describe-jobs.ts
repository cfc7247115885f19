import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';

/** Dead letters as a table, with a headline. */
export function listText(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'There are no dead letters.\n';
  return columns([
    ['DIED AT', 'KIND', 'ORG', 'JOB ID', 'ATTEMPTS', 'REASON'],
    ...letters.map(({ message, diedAt, attempts, reason }) => [
      timeText(diedAt),
      message.kind,
      message.org ?? '-',
      message.jobId,
      String(attempts),
      reason,
    ]),
  ]);
}

/** A job: its dead letter and its status record, as far as they exist. Never its payload. */
export function jobText(
  { kind, org, jobId }: JobIdentity,
  letter: DeadLetter | undefined,
  record: JobRecord | undefined,
  failedItems: readonly number[],
): string {
  return columns([
    ['Job', jobId],
    ['Kind', kind],
    ['Organisation', org ?? '-'],
    ...(letter ? letterRows(letter) : []),
    ...(record ? recordRows(record, failedItems) : [['Record', 'expired']]),
  ]);
}

function letterRows({ diedAt, attempts, reason }: DeadLetter): string[][] {
  return [
    ['Given up', timeText(diedAt)],
    ['After', `${attempts} attempts`],
    ['Because', reason],
  ];
}

function recordRows({ lease, result, ...record }: JobRecord, failedItems: readonly number[]): string[][] {
  return [
    ['State', record.state.toUpperCase()],
    ['Progress', `${record.done} of ${record.total}`],
    ['Failed items', failedItems.join(', ') || '-'],
    ['Claimed', `${record.attempt} times`],
    ['Created', timeText(record.createdAt)],
    ['Started', record.startedAt === undefined ? '-' : timeText(record.startedAt)],
    ['Finished', record.finishedAt === undefined ? '-' : timeText(record.finishedAt)],
    ['Leased until', lease === undefined ? '-' : timeText(lease.expiresAt)],
    ['Kept until', timeText(record.expiresAt)],
    ['Reply', result === undefined ? '-' : `${result.status} ${result.body}`],
  ];
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Rows in columns, the last one as wide as it is. */
function columns(rows: readonly (readonly string[])[]): string {
  const printable = rows.map((row) => row.map(withoutControls));
  const width = (column: number): number => Math.max(...printable.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(width(column)))).join('  ');
  return `${printable.map(line).join('\n')}\n`;
}

/** Organisations and reasons come from outside, and a terminal obeys control characters. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\u{fffd}');
}
