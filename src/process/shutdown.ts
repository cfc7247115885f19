import type { Logger } from '../logger.js';

/** One step of a shutdown. */
export interface ShutdownStep {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/**
 * Runs the steps one after another. A step that fails is logged and does not keep the others from running.
 *
 * @returns whether every step succeeded
 */
export async function runShutdown(steps: readonly ShutdownStep[], logger: Logger): Promise<boolean> {
  let clean = true;
  for (const { name, run } of steps) {
    try {
      logger.debug({ step: name }, 'shutdown step');
      await run();
    } catch (err) {
      clean = false;
      logger.error({ err, step: name }, 'shutdown step failed');
    }
  }
  return clean;
}
