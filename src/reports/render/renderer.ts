import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Piscina } from 'piscina';
import type { DriverOutcome, ReportOptions } from '../model.js';
import { Places } from './places.js';
import type { RenderTask } from './protocol.js';
import type { DrawnPages, ReportObserver } from './report-observer.js';
import { ReportRenderError, RenderSession } from './session.js';

/** How reports are drawn. */
export interface ReportRendererOptions {
  /** Threads that draw; each draws several reports, which take turns by their organisations. */
  readonly workers: number;
  /** Reports of more pages than this, counting the cover and one for each driver, are not tagged for screen readers. */
  readonly maxTaggedPages: number;
  /** Memory of a thread's heap in MiB; one that needs more ends, and the reports in it fail. 512 when absent. */
  readonly maxWorkerHeapMb?: number;
  /** Absent: nobody watches. */
  readonly observer?: ReportObserver | undefined;
}

/** Draws reports in threads of its own. */
export interface ReportRenderer {
  /**
   * Draws a report in a thread. Drivers are asked for as drawing proceeds, and drawing proceeds as the bytes
   * of the PDF are taken, so memory stays flat however long the report is.
   *
   * @param onMissingCharacters told about characters that no font has and that are printed as 〓, counted once for each
   *   text they are in
   * @throws {ReportRenderError} while iterating, when the drawing thread fails or dies
   * @throws the reason of `signal` when it is aborted, and whatever `drivers` throws
   */
  render(
    report: ReportOptions,
    drivers: AsyncIterable<DriverOutcome>,
    signal: AbortSignal,
    onMissingCharacters?: (characters: ReadonlyMap<string, number>) => void,
  ): AsyncIterable<Uint8Array>;
  /** Starts the threads and parses their fonts, so that the first report does not wait for it. */
  warm(): Promise<void>;
  /** Ends the threads; reports that are being drawn fail. */
  close(): Promise<void>;
}

/** Reports that a thread draws at the same time; further ones wait, whosever they are. */
const REPORTS_PER_THREAD = 16;

/** Of one organisation: one is drawn while the other waits for its data. More would take memory and save no time. */
const REPORTS_PER_ORGANISATION = 2;

/** Creates a renderer. Its threads start with the first report or with `warm`. */
export function createReportRenderer(options: ReportRendererOptions): ReportRenderer {
  const { workers, maxTaggedPages, maxWorkerHeapMb = 512, observer } = options;
  let pool: Promise<Piscina<RenderTask, void>> | undefined;
  const places = new Places(REPORTS_PER_ORGANISATION * workers);
  let isClosed = false;
  const started = async (): Promise<Piscina<RenderTask, void>> => {
    if (isClosed) throw new ReportRenderError('The report renderer is closed: the service is shutting down.');
    return (pool ??= startPool(workers, maxWorkerHeapMb));
  };
  return {
    async *render(report, drivers, signal, onMissingCharacters) {
      const place = await places.take(report.org ?? '', signal);
      const observation = observer?.started(report);
      let drawn: DrawnPages | undefined;
      try {
        const session = new RenderSession(await started(), report, maxTaggedPages, signal);
        try {
          const { missingCharacters, pages, drawingMs } = yield* session.bytes(drivers);
          drawn = { pages, drawingMs };
          if (missingCharacters.size > 0) onMissingCharacters?.(missingCharacters);
        } finally {
          session.end();
        }
      } finally {
        observation?.finish(drawn);
        place.free();
      }
    },
    async warm() {
      const threads = await started();
      await Promise.all(Array.from({ length: workers }, () => threads.run({ kind: 'warm' })));
    },
    async close() {
      isClosed = true;
      await (await pool)?.destroy();
    },
  };
}

/** Node ends the whole process when a thread is ended within `require` of a module; `import` may be interrupted. */
const LOADED_BY_IMPORT = ['--no-experimental-require-module'];

async function startPool(workers: number, maxWorkerHeapMb: number): Promise<Piscina<RenderTask, void>> {
  // With the first thread: until then nobody waits for it.
  const { Piscina } = await import('piscina');
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './worker.ts' : './worker.js', import.meta.url);
  return new Piscina<RenderTask, void>({
    filename: fileURLToPath(entry),
    minThreads: workers,
    maxThreads: workers,
    concurrentTasksPerWorker: REPORTS_PER_THREAD,
    // A thread that waits must hear its ports: piscina's default puts it to sleep between tasks.
    atomics: 'disabled',
    // Requests come before pages where both want the processor.
    niceIncrement: 10,
    resourceLimits: { maxOldGenerationSizeMb: maxWorkerHeapMb },
    execArgv: isSource ? ['--import', typeScriptLoader()] : LOADED_BY_IMPORT,
  });
}

/** Threads do not inherit the loader of whoever runs this from its source, such as a test runner. */
function typeScriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
