import { replayDeadLetter, replayEach, replayFailedItems, type ReplayedDeadLetter } from './dead-letters.js';
import type { KeyRing } from '../config/key-ring.js';
import type { JobEngine } from '../engines/job-engine.js';
import type { DeadLetter } from '../job-record/job-queue.js';
import type { JobIdentity, JobRecord } from '../job-record/job-record.js';
import { type JobsCommand, isMeant, meantDeadLetters, type JobSelection } from './command-line.js';
import {
  changeJson,
  changeText,
  jobJson,
  jobText,
  listJson,
  listText,
  queueJson,
  queueText,
  replayJson,
  replayText,
  timeText,
} from './describe-jobs.js';
import { followJob, viewJob } from './job-view.js';
import { countedFigures, queueFigures, type QueueFigures } from './queue-figures.js';
import { RefusedCommandError } from '../process/read-arguments.js';

export interface JobsTools {
  readonly engine: Pick<JobEngine, 'queue' | 'jobStore' | 'inspection' | 'submission'>;
  /** Called only when payloads must be read. */
  readonly openKeys: () => Promise<KeyRing>;
  /** Limit of the width of tables, in columns. */
  readonly maxWidth: number;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Ends the following of a job. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command and prints its answer.
 *
 * @returns true if all of it was done, and a followed job ended with success; `complain` prints the exceptions
 * @throws {RefusedCommandError} when there is no such job
 * @throws {ServiceUnavailableError} when a store does not answer
 */
export async function runJobsCommand(command: JobsCommand, tools: JobsTools): Promise<boolean> {
  const { engine, maxWidth, print } = tools;
  const say = (json: unknown, text: () => string): void =>
    print(command.json ? JSON.stringify(json, undefined, 2) : text());
  const now = Date.now();
  const { selection } = command;
  switch (command.name) {
    case 'list': {
      const deadLetters = meantDeadLetters(selection, await engine.queue.deadLetters(), now);
      say(listJson(deadLetters), () => listText(deadLetters, maxWidth));
      return true;
    }
    case 'queue': {
      const figures = await figuresOf(selection, engine, now);
      const approximate = figures.some(({ delayed }) => delayed === null);
      say(queueJson(figures, approximate), () => queueText(figures, approximate, maxWidth));
      return true;
    }
    case 'show': {
      if (command.follow) return showUntilEnd(command, tools);
      const view = await viewJob(engine, command.selection);
      say(jobJson(view), () => jobText(view, maxWidth));
      return true;
    }
    case 'replay':
      return replayMeant(command, meantDeadLetters(selection, await engine.queue.deadLetters(), now), tools);
  }
}

async function showUntilEnd(
  { selection, json }: Extract<JobsCommand, { name: 'show' }>,
  { engine, maxWidth, print, signal }: JobsTools,
): Promise<boolean> {
  let shown = '';
  const showChange = (job: JobIdentity, record: JobRecord): void => {
    const change = json ? JSON.stringify(changeJson(job, record)) : changeText(record);
    if (change !== shown) print(json ? change : `${timeText(Date.now())}  ${change}`);
    shown = change;
  };
  const view = await followJob(engine, selection, showChange, signal);
  print(json ? JSON.stringify(jobJson(view)) : `\n${jobText(view, maxWidth)}`);
  return view.record?.result?.status === 200 && view.failures.length === 0;
}

/** @throws {RefusedCommandError} when the queue only counts its messages, and some of them are selected */
async function figuresOf(
  selection: JobSelection,
  { inspection, queue }: JobsTools['engine'],
  now: number,
): Promise<readonly QueueFigures[]> {
  const messages = await inspection.queued();
  if (messages === undefined) {
    if (Object.keys(selection).length === 0) return [countedFigures(await queue.load(), now)];
    throw new RefusedCommandError('The queue does not tell its messages apart. Leave --kind and --org out.');
  }
  const meant = messages.filter((message) => isMeant(selection, message));
  return queueFigures(meant, meantDeadLetters(selection, await queue.deadLetters(), now), selection.kind, now);
}

async function replayMeant(
  { selection, failedItems, dryRun, json }: Extract<JobsCommand, { name: 'replay' }>,
  deadLetters: readonly DeadLetter[],
  { engine, openKeys, print, complain }: JobsTools,
): Promise<boolean> {
  if (selection.jobId !== undefined) requireOne(selection.jobId, deadLetters);
  else if (!json) print(`${countText(deadLetters.length)}${dryRun ? ' This is a dry run: nothing is done.' : ''}`);
  const replayed: ReplayedDeadLetter[] = [];
  const onReplayed = (each: ReplayedDeadLetter): void => {
    replayed.push(each);
    if (json) return;
    // Printed at once, because the operator may interrupt the rest.
    (each.outcome === 'refused' ? complain : print)(replayText(each, dryRun));
  };
  try {
    const keyRing = failedItems ? await openKeys() : undefined;
    const replay = (job: JobIdentity): Promise<ReplayedDeadLetter> =>
      keyRing ? replayFailedItems(engine, keyRing, job, dryRun) : replayDeadLetter(engine, job, dryRun);
    await replayEach(deadLetters, replay, onReplayed);
  } finally {
    // After an error, prints the outcomes so far.
    if (json) print(JSON.stringify(replayJson(replayed, dryRun), undefined, 2));
  }
  return replayed.every(({ outcome }) => outcome === 'replayed');
}

/** @throws {RefusedCommandError} when there is none, or there are several */
function requireOne(jobId: string, deadLetters: readonly DeadLetter[]): void {
  if (deadLetters.length === 0) throw new RefusedCommandError(`There is no dead letter of job ${jobId}.`);
  if (deadLetters.length === 1) return;
  throw new RefusedCommandError('Several dead letters have this job id. Say which one with --kind and --org.');
}

function countText(count: number): string {
  if (count === 0) return 'No dead letter is meant.';
  return count === 1 ? '1 dead letter is meant.' : `${count} dead letters are meant.`;
}
