import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import { terminalTable } from '../process/terminal-table.js';

/** Dead letters as a table, with a headline. */
export function listText(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'There are no dead letters.';
  return terminalTable([
    ['DIED AT', 'KIND', 'ORG', 'JOB ID', 'ATTEMPTS', 'REASON'],
    ...letters.map(({ message, diedAt, attempts, reason }) => [
      timeText(diedAt),
      message.kind,
      message.org ?? '-',
      message.jobId,
      String(attempts),
      reason,
    ]),
  ]).join('\n');
}

/** A job: its dead letter and its status record, as far as they exist. Never its payload. */
export function jobText(
  { kind, org, jobId }: JobIdentity,
  letter: DeadLetter | undefined,
  record: JobRecord | undefined,
  failedItems: readonly number[],
): string {
  return terminalTable([
    ['Job', jobId],
    ['Kind', kind],
    ['Organisation', org ?? '-'],
    ...(letter ? letterRows(letter) : []),
    ...(record ? recordRows(record, failedItems) : [['Record', 'expired']]),
  ]).join('\n');
}

function letterRows({ diedAt, attempts, reason }: DeadLetter): string[][] {
  return [
    ['Dead letter', timeText(diedAt)],
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
