import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logger.js';
import { runShutdown } from '../process/shutdown.js';

/** What replies get to leave the process when jobs have used up the time to drain. */
const MIN_GRACE_MS = 1_000;

/** What a part gets to close once nothing is waited for any more. */
const CLOSE_MS = 3_000;

interface Closable {
  close(): Promise<unknown>;
}

/** What a running gateway has to end. */
export interface RunningParts {
  /** Asked when it is their turn; undefined: this process delivers nothing. */
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
 * Ends the parts of a gateway one after another, nothing before what still needs it.
 *
 * @param times milliseconds until load balancers have noticed, and until jobs have stopped
 * @returns the names of the steps that did not end well; empty when all did
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
        // Deliveries in hand wait for their callbacks, so both end together.
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
      // Until then it shows how the shutdown goes.
      { name: 'metrics', maxMs: CLOSE_MS, run: async () => metrics?.close() },
    ],
    logger,
  );
}
