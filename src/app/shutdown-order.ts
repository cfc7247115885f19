import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { runShutdown } from '../process/shutdown.js';

/** Time for open replies after jobs have used up the drain time, in milliseconds. */
const MIN_GRACE_MS = 1_000;

/** Time for a part to close once its work has ended, in milliseconds. */
const CLOSE_MS = 3_000;

interface Closable {
  close(): Promise<unknown>;
}

/** Parts that a running gateway has to close. */
export interface RunningParts {
  /** Called at the step of jobs; returns undefined if this process delivers nothing. */
  readonly deliveries: () => { close(drainMs: number): Promise<unknown> } | undefined;
  readonly runner: { drain(maxMs: number): Promise<unknown> };
  readonly listener: { close(graceMs: number): Promise<unknown> };
  readonly renderer: Closable;
  readonly backends: Closable;
  readonly objectEngine: Closable;
  readonly jobEngine: Closable;
  readonly sandbox: Closable | undefined;
  readonly tracing: Closable;
  readonly metrics: Closable | undefined;
}

/**
 * Closes the parts of a gateway one after another, each before those it depends on.
 *
 * @param times milliseconds for load balancers to notice, and for jobs to stop
 * @returns the names of failed steps
 */
export function shutDownInOrder(
  parts: RunningParts,
  { delayMs, drainMs }: Config['shutdown'],
  logger: Logger,
): Promise<readonly string[]> {
  const { deliveries, runner, listener, renderer, backends, objectEngine, jobEngine, sandbox, tracing, metrics } =
    parts;
  const drainedBy = performance.now() + delayMs + drainMs;
  return runShutdown(
    [
      { name: 'let load balancers notice', maxMs: delayMs + CLOSE_MS, run: () => delay(delayMs) },
      {
        // Open deliveries wait for their callbacks, so both end together.
        name: 'jobs',
        maxMs: drainMs + 2 * CLOSE_MS,
        run: () => Promise.all([deliveries()?.close(drainMs), runner.drain(drainMs)]),
      },
      {
        name: 'connections',
        maxMs: drainMs + CLOSE_MS,
        run: () => listener.close(Math.max(MIN_GRACE_MS, drainedBy - performance.now())),
      },
      { name: 'report renderer', maxMs: CLOSE_MS, run: () => renderer.close() },
      { name: 'backend connections', maxMs: CLOSE_MS, run: () => backends.close() },
      { name: 'object store', maxMs: CLOSE_MS, run: () => objectEngine.close() },
      { name: 'job store and queue', maxMs: 2 * CLOSE_MS, run: () => jobEngine.close() },
      { name: 'sandbox', maxMs: CLOSE_MS, run: async () => sandbox?.close() },
      { name: 'traces', maxMs: CLOSE_MS, run: () => tracing.close() },
      // Last, because metrics show the progress of the shutdown.
      { name: 'metrics', maxMs: CLOSE_MS, run: async () => metrics?.close() },
    ],
    logger,
  );
}
