import type { Logger } from '../logging/logger.js';

/** One step of a shutdown. */
export interface ShutdownStep {
  readonly name: string;
  /** Longest time it is waited for, in milliseconds. */
  readonly maxMs: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Runs the steps one after another, each within its time box. One that fails or takes longer is logged and does not
 * keep the others from running.
 *
 * @returns the names of the steps that did not end well; empty after a clean shutdown
 */
export async function runShutdown(steps: readonly ShutdownStep[], logger: Logger): Promise<readonly string[]> {
  const unfinished: string[] = [];
  for (const { name, maxMs, run } of steps) {
    logger.event('shutdown.step_started', { step: name });
    try {
      if (await endsWithin(maxMs, run)) continue;
      logger.event('shutdown.step_overdue', { step: name, limitMs: maxMs });
    } catch (err) {
      logger.event('shutdown.step_failed', { step: name, err });
    }
    unfinished.push(name);
  }
  return unfinished;
}

/** Whether the work ends in time; what it does later concerns nobody. */
async function endsWithin(maxMs: number, run: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, maxMs, false);
  });
  try {
    return await Promise.race([run().then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}
