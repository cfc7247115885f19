import {
  dropDeadLetter,
  laterOrder,
  replayDeadLetter,
  replayFailedItems,
  type SettledDeadLetter,
} from './dead-letters.js';
import type { KeyRing } from '../../base/config/key-ring.js';
import type { JobEngine } from '../../jobs/engines/job-engine.js';
import { GatewayError, ServiceUnavailableError } from '../../base/errors.js';
import type { DeadLetter } from '../../jobs/record/job-queue.js';
import type { JobIdentity, JobRecord } from '../../jobs/record/job-record.js';
import { type JobsCommand, isSelected, selectedDeadLetters, type JobSelection, type OneJob } from './command-line.js';
import {
  changeAnswer,
  changeText,
  deadLettersAnswer,
  deadLettersText,
  jobAnswer,
  jobsAnswer,
  jobsText,
  jobText,
  organisationsAnswer,
  organisationsText,
  queueAnswer,
  queueText,
  settledAnswer,
  settledText,
  timeText,
} from './describe-jobs.js';
import {
  countedFigures,
  failedCount,
  followJob,
  jobsOf,
  organisationsOf,
  queueFigures,
  viewJob,
  type QueueFigures,
} from './job-view.js';
import { isHandled } from '../../jobs/record/transitions.js';
import { RefusedCommandError, UsageError } from '../process/read-arguments.js';
import type { CommandContext } from '../process/run-program.js';
import { shellWord } from '../process/terminal.js';

export interface JobsTools extends Pick<CommandContext, 'print' | 'complain' | 'confirm' | 'signal'> {
  readonly engine: Pick<JobEngine, 'queue' | 'jobStore' | 'inspection' | 'submission' | 'organisations'>;
  /** Called only when payloads must be read. */
  readonly openKeys: () => Promise<KeyRing>;
  readonly maxWidth: number;
}

/**
 * Runs a command and prints its answer; `complain` prints exceptions. Returns true if all of it was done, and a
 * followed job ended with success.
 *
 * @throws {RefusedCommandError} when there is no such job, or the operator has said no
 * @throws {ServiceUnavailableError} when a store does not answer
 */
export async function runJobsCommand(command: JobsCommand, tools: JobsTools): Promise<boolean> {
  const { engine, maxWidth, print } = tools;
  const say = <Answer>(answer: Answer, textOf: (answer: Answer, maxWidth: number) => string): void =>
    print(command.json ? JSON.stringify(answer, undefined, 2) : textOf(answer, maxWidth));
  const now = Date.now();
  const { selection } = command;
  switch (command.name) {
    case 'list': {
      const deadLetters = selectedDeadLetters(selection, await engine.queue.deadLetters(), now);
      const failed = async ({ message: job }: DeadLetter): Promise<number> =>
        failedCount(engine.jobStore, job, await engine.jobStore.read(job));
      say(deadLettersAnswer(deadLetters, await Promise.all(deadLetters.map(failed))), deadLettersText);
      return true;
    }
    case 'list jobs': {
      const { org } = selection;
      if (org === undefined) say(organisationsAnswer(await organisationsOf(engine, command, now)), organisationsText);
      else say(jobsAnswer(await jobsOf(engine, org, command, now)), jobsText);
      return true;
    }
    case 'queue': {
      say(queueAnswer(await figuresOf(selection, engine, now)), queueText);
      return true;
    }
    case 'show': {
      if (command.follow) return showUntilEnd(command, tools);
      say(jobAnswer(await viewJob(engine, command.selection)), jobText);
      return true;
    }
    case 'cancel': {
      const { cancelJob } = await import('../../jobs/job-cancel.js');
      const { job, record } = await viewJob(engine, command.selection);
      const hasEnded = new RefusedCommandError(`Job ${job.jobId} has ended, and nothing of it is left to cancel.`);
      if (record === undefined || record.state === 'finished') throw hasEnded;
      await confirmed(
        command,
        tools,
        `Cancel job ${job.jobId} (${job.kind}, ${changeText(changeAnswer(job, record))})?`,
      );
      if (!command.dryRun) {
        // The job may have gone on while the question was open.
        const current = await engine.jobStore.read(job);
        const result = current && (await cancelJob(engine.jobStore, job, current));
        if (result?.cancelled !== true) throw hasEnded;
      }
      const cancelled = settledAnswer({ job, outcome: 'cancelled' });
      say({ dryRun: command.dryRun, jobs: [cancelled] }, () => settledText(cancelled, command));
      return true;
    }
    case 'drop':
    case 'replay':
      return settleSelected(command, now, tools);
  }
}

/** Asks before a change. @throws {RefusedCommandError} the answer is no */
async function confirmed({ dryRun, yes }: JobsCommand, { confirm }: JobsTools, question: string): Promise<void> {
  if (dryRun || yes || (await confirm?.(question)) === true) return;
  throw new RefusedCommandError('Nothing was changed.');
}

/** Requires an answer in the command, or a terminal to ask at. @throws {UsageError} */
export function requireAnswer({ name, yes, dryRun }: JobsCommand, confirm: CommandContext['confirm']): void {
  if ((name !== 'cancel' && name !== 'drop') || yes || dryRun || confirm !== undefined) return;
  throw new UsageError(`Without a terminal, ${name} needs --yes or --dry-run.`);
}

async function showUntilEnd(
  { selection, json }: { readonly selection: OneJob; readonly json: boolean },
  { engine, maxWidth, print, signal }: JobsTools,
): Promise<boolean> {
  let shown = '';
  const showChange = (job: JobIdentity, record: JobRecord): void => {
    const answer = changeAnswer(job, record);
    const change = json ? JSON.stringify(answer) : changeText(answer);
    if (change !== shown) print(json ? change : `${timeText(Date.now())}  ${change}`);
    shown = change;
  };
  const view = await followJob(engine, selection, showChange, signal);
  const answer = jobAnswer(view);
  print(json ? JSON.stringify(answer) : `\n${jobText(answer, maxWidth)}`);
  return isHandled(view.record) && view.failures.length === 0;
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
  const selected = messages.filter((message) => isSelected(selection, message));
  return queueFigures(selected, selectedDeadLetters(selection, await queue.deadLetters(), now), selection.kind, now);
}

async function settleSelected(command: JobsCommand, now: number, tools: JobsTools): Promise<boolean> {
  const { selection, dryRun, json } = command;
  const { engine, openKeys, print, complain } = tools;
  const selected = selectedDeadLetters(selection, await engine.queue.deadLetters(), now);
  const [first] = selected;
  if (selection.jobId !== undefined) await requireOne({ ...selection, jobId: selection.jobId }, selected, engine);
  else if (!json) {
    const count = selected.length > 1 ? `${selected.length} dead letters are` : `${first ? '1' : 'No'} dead letter is`;
    print(`${count} meant.${dryRun ? ' This is a dry run: nothing is done.' : ''}`);
  }
  if (command.name === 'drop' && first !== undefined) {
    const whose =
      selected.length > 1 ? `${selected.length} dead letters` : `the dead letter of job ${first.message.jobId}`;
    await confirmed(command, tools, `Drop ${whose}?`);
  }
  const settled: ReturnType<typeof settledAnswer>[] = [];
  try {
    const keyRing = command.failedItems ? await openKeys() : undefined;
    for (const deadLetter of selected) {
      const settling = settle(deadLetter, command, engine, keyRing);
      const each = settledAnswer(await settling.catch((error: unknown) => refusalOf(deadLetter, error)));
      settled.push(each);
      // Printed at once, because the operator may interrupt the rest.
      if (!json) (each.outcome === 'refused' ? complain : print)(settledText(each, command));
    }
  } finally {
    // After an error, prints the outcomes so far.
    if (json) print(JSON.stringify({ dryRun, jobs: settled }, undefined, 2));
  }
  return settled.every(({ outcome }) => outcome !== 'refused');
}

/** Returns the outcome of a refused dead letter, which does not stop the others. @throws all other errors */
function refusalOf({ message: job }: DeadLetter, error: unknown): SettledDeadLetter {
  const isRefusal = error instanceof RefusedCommandError || error instanceof GatewayError;
  if (!isRefusal || error instanceof ServiceUnavailableError) throw error;
  return { job, outcome: 'refused', reason: error.message };
}

/** Carries out a command on a dead letter. @param keyRing given to start new jobs with its failed items */
async function settle(
  deadLetter: DeadLetter,
  { name, selection, dryRun }: JobsCommand,
  engine: JobsTools['engine'],
  keyRing: KeyRing | undefined,
): Promise<SettledDeadLetter> {
  const { message: job } = deadLetter;
  if (name === 'drop') return dropDeadLetter(engine, deadLetter, dryRun);
  const later = selection.jobId === undefined ? await laterOrder(engine, job) : undefined;
  if (later !== undefined) {
    const order = `${job.kind} was ordered again at ${timeText(later.createdAt)}, as job ${later.jobId}`;
    return { job, outcome: 'left out', reason: `${order}. Drop it, or replay it by its id.` };
  }
  return keyRing ? replayFailedItems(engine, keyRing, job, dryRun) : replayDeadLetter(engine, job, dryRun);
}

/** @throws {RefusedCommandError} when there is none, with the next step, or there are several */
async function requireOne(selection: OneJob, deadLetters: readonly DeadLetter[], engine: JobsTools['engine']) {
  if (deadLetters.length === 1) return;
  if (deadLetters.length > 1) {
    throw new RefusedCommandError('Several dead letters have this job id. Say which one with --kind and --org.');
  }
  const { job, record } = await viewJob(engine, selection);
  const show = `npm run jobs -- show ${shellWord(job.jobId)}`;
  const next =
    record?.state === 'finished'
      ? `It has ended: ${show} says what failed, and its user orders that again.`
      : `It has not ended: ${show} --follow waits for its end.`;
  throw new RefusedCommandError(`There is no dead letter of job ${job.jobId}. ${next}`);
}
