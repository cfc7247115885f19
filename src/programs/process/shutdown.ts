import type { Logger } from '../../base/logging/logger.js';
import { LATE, withinTime } from '../../base/waits.js';

export interface ShutdownStep {
  readonly name: string;
  readonly maxMs: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Runs the steps one after another, each within its time limit. A step that fails or times out is logged, and the
 * others still run.
 *
 * @returns the names of the steps that failed or timed out
 */
export async function runShutdown(steps: readonly ShutdownStep[], logger: Logger): Promise<readonly string[]> {
  const unfinished: string[] = [];
  for (const { name, maxMs, run } of steps) {
    logger.event('shutdown.step_started', { step: name });
    try {
      if ((await withinTime(run(), maxMs)) !== LATE) continue;
      logger.event('shutdown.step_overdue', { step: name, limitMs: maxMs });
    } catch (err) {
      logger.event('shutdown.step_failed', { step: name, err });
    }
    unfinished.push(name);
  }
  return unfinished;
}
