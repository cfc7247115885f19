import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import { describeOutage, ServiceUnavailableError } from '../../base/errors.js';
import type { Logger } from '../../base/logging/log-events.js';
import type { Observer } from '../../base/observation.js';
import { OnceInAWhile } from '../../base/once-in-a-while.js';
import { onAbort } from '../../base/waits.js';
import type { DrawnFile, DrawnPages, DriverOutcome, ReadEnds, ReportOptions } from '../model.js';
import type { RenderTask } from './protocol.js';
import { notStarted, RenderSession, ReportRenderError } from './render-session.js';
import type * as worker from './worker.js';

/** Callers of each organisation in order; the first of them have a place, the others wait. */
type Places = Map<string, Set<() => void>>;

/**
 * Takes one of `max` places of an organisation as soon as one is free.
 *
 * @returns frees the place; call once
 * @throws the reason of `signal` if it is aborted first
 */
async function takePlace(places: Places, organisation: string, max: number, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  const callers = places.get(organisation) ?? new Set();
  places.set(organisation, callers);
  // A second call does nothing to those who are in.
  const letIn = (): void => [...callers].slice(0, max).forEach((enter) => enter());
  let leave = (): void => undefined;
  let unfollow = (): void => undefined;
  const entered = new Promise<void>((enter, reject) => {
    callers.add(enter);
    leave = () => {
      callers.delete(enter);
      if (callers.size === 0) places.delete(organisation);
      letIn();
    };
    // The reason may be of any type, and is passed on unchanged.
    unfollow = onAbort(signal, () => reject(signal.reason as Error));
    letIn();
  });
  try {
    await entered;
    return leave;
  } catch (reason) {
    leave();
    throw reason;
  } finally {
    unfollow();
  }
}

export interface ReportRendererOptions {
  /** Drawing threads; each draws several reports, which take turns by organisation. */
  readonly workers: number;
  /** Page limit for tagging for screen readers, counting the cover and one page per driver. */
  readonly maxTaggedPages: number;
  /** Heap limit of a thread in MiB, 512 if absent; a thread beyond the limit ends, and its reports fail. */
  readonly maxWorkerHeapMb?: number;
  /** Time after which an idle thread ends and gives its memory back, in ms; ten minutes if absent. */
  readonly idleMs?: number;
  readonly logger?: Pick<Logger, 'event'> | undefined;
  readonly observer?: Observer | undefined;
}

export interface ReportRenderer {
  /**
   * Draws a report in a thread. Drivers are pulled as drawing proceeds, and drawing proceeds as the PDF bytes are
   * consumed, so memory stays flat for any length of report.
   *
   * @param drivers may ask the thread for the ends of a day before it yields the driver
   * @param onDrawn called at the end of the bytes
   * @throws {ReportRenderError} while iterating, if the drawing thread fails or dies
   * @throws {ServiceUnavailableError} before it asks for a driver, if no thread could start; later calls start others
   * @throws the reason of `signal` if it is aborted, and any error of `drivers`
   */
  render(
    report: ReportOptions,
    drivers: (readEnds: ReadEnds) => AsyncIterable<DriverOutcome>,
    signal: AbortSignal,
    onDrawn?: (file: DrawnFile) => void,
  ): AsyncIterable<Uint8Array>;
  /** Ends the threads; reports in progress fail. */
  close(): Promise<void>;
}

/** Reports that a thread draws concurrently; further ones of any organisation wait. */
const REPORTS_PER_THREAD = 16;

/** Reports of an organisation drawn at once: one waits for data while the other is drawn. More save no time. */
const REPORTS_PER_ORGANISATION = 2;

/** Failed starts within a minute from which the log says to restart, because a thread seldom starts after them. */
const MAX_FAILED_STARTS = 3;
const FAILED_STARTS_MS = 60_000;

type Pool = Piscina<RenderTask, void>;

// A file of its own in the bundle. It is found at the start, because Node.js may never find it again after a failure.
const thread = await import('./thread.js');

/** Creates a renderer. Its threads start with the first report, and again after idle ones have ended. */
export function createReportRenderer(options: ReportRendererOptions): ReportRenderer {
  const { workers, maxTaggedPages, maxWorkerHeapMb = 512, idleMs = 10 * 60_000, logger, observer } = options;
  let pool: Pool | undefined;
  /** Places by organisation; empty while nothing is drawn. */
  const places: Places = new Map();
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  // Ends the whole pool: with a smaller `minThreads`, piscina would not replace a thread that has died.
  const rest = async (): Promise<void> => {
    const ending = pool;
    pool = undefined;
    await ending?.destroy().catch(() => undefined);
  };
  let failedAt: readonly number[] = [];
  const told = new OnceInAWhile({ everyMs: FAILED_STARTS_MS });
  /** Forgets threads of which one could not start, if there are any, so that the next report starts others. */
  const forget = (failed: Pool | undefined, cause: unknown): void => {
    if (pool !== failed) return;
    void rest();
    if (isClosed) return;
    observer?.started('drawingStart', undefined)?.finish('failed');
    const now = performance.now();
    failedAt = [...failedAt.filter((at) => at > now - FAILED_STARTS_MS), now].slice(-MAX_FAILED_STARTS);
    if (failedAt.length < MAX_FAILED_STARTS || !told.isDue()) return;
    logger?.event('report.drawing_stuck', { reason: describeOutage(cause) });
  };
  const start = (): Pool => {
    try {
      const started = startPool(workers, maxWorkerHeapMb);
      return started.on('error', (error: unknown) => forget(started, error));
    } catch (cause) {
      forget(undefined, cause);
      throw notStarted(cause);
    }
  };
  return {
    async *render(report, drivers, signal, onDrawn) {
      const free = await takePlace(places, report.org ?? '', REPORTS_PER_ORGANISATION * workers, signal);
      const observation = observer?.started('report', undefined);
      let drawn: DrawnPages | undefined;
      clearTimeout(idle);
      try {
        if (isClosed) throw new ReportRenderError('The report renderer is closed: the service is shutting down.');
        const threads = (pool ??= start());
        const session = new RenderSession(threads, report, maxTaggedPages, signal);
        try {
          const { pages, drawingMs, ...file } = yield* session.bytes(drivers);
          drawn = { pages, drawingMs };
          onDrawn?.(file);
        } catch (error) {
          if (!session.hasBegun && error instanceof ServiceUnavailableError) forget(threads, error);
          throw error;
        } finally {
          if (session.hasBegun) failedAt = [];
          session.end();
        }
      } finally {
        observation?.finish(drawn);
        free();
        if (places.size === 0) idle = setTimeout(() => void rest(), idleMs).unref();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await rest();
    },
  };
}

/** Node ends the whole process if a thread is ended within `require` of a module; `import` may be interrupted. */
const LOADED_BY_IMPORT = ['--no-experimental-require-module'];

function startPool(workers: number, maxWorkerHeapMb: number): Pool {
  const { THREAD, runTask } = thread;
  const isSource = THREAD.endsWith('.ts');
  return new Piscina<RenderTask, void>({
    // In a thread, the loader of TypeScript finds no module that is imported late.
    filename: fileURLToPath(isSource ? new URL('./worker.ts', THREAD) : THREAD),
    name: isSource ? ('drawTask' satisfies keyof typeof worker) : runTask.name,
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: REPORTS_PER_THREAD,
    // An idle thread must receive port messages: piscina's default makes it sleep between tasks.
    atomics: 'disabled',
    // Requests take precedence over drawing when both need the processor.
    niceIncrement: 10,
    resourceLimits: { maxOldGenerationSizeMb: maxWorkerHeapMb },
    // From source, such as in tests: threads do not inherit the loader.
    execArgv: isSource
      ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
      : LOADED_BY_IMPORT,
  });
}
