import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { ServiceUnavailableError } from '../../base/errors.js';
import { LATE, onAbort, withinTime } from '../../base/waits.js';
import type { Position } from '../day/plausible.js';
import {
  type DayOutcome,
  type DrawnFile,
  type DrawnPages,
  type DriverOutcome,
  type ReadEnds,
  type ReportedTrip,
  type ReportOptions,
  withLists,
} from '../model.js';
import type { DrawnReport } from './draw-report.js';
import {
  Credits,
  type FromDrawing,
  Inbox,
  MAX_FIXES_OF_MESSAGE,
  type RenderTask,
  type SentDay,
  tableOf,
  type ToDrawing,
} from './protocol.js';

/** Failure to draw a report whose data was available. */
export class ReportRenderError extends Error {
  override readonly name = 'ReportRenderError';
  readonly code = 'REPORT_RENDER_FAILED';
}

/** Makes the error of a report for which no thread started: nothing was drawn, so that the job may wait. */
export function notStarted(cause: unknown): ServiceUnavailableError {
  return new ServiceUnavailableError('the report renderer', { cause });
}

/**
 * Time for a thread to stop by itself after a cancellation before it is ended with all its reports. Threads run at a
 * lower priority: on a busy machine a thread that works can take many seconds to notice.
 */
const CANCEL_MILLISECONDS = 60_000;

/** Drawing of one report in a thread. */
export class RenderSession {
  readonly #jobId: string;
  readonly #port: MessagePort;
  /** Aborted with the reason for which nothing more is drawn. */
  readonly #over = new AbortController();
  readonly #inbox = new Inbox<Extract<FromDrawing, { kind: 'chunk' | 'drawn' }>>(this.#over.signal);
  readonly #wanted = new Credits(this.#over.signal);
  /** Callers that wait for the ends of a list, by its number. */
  readonly #asked = new Map<
    number,
    { resolve: (ends: readonly Position[]) => void; reject: (reason: Error) => void }
  >();
  #lists = 0;
  readonly #unfollow: () => void;
  readonly #pool: Piscina<RenderTask, void>;
  /** Drawing thread; undefined until it has begun. */
  #threadId: number | undefined;
  /** Resolves when the thread has ended its work, or died. */
  readonly #ended: Promise<void>;

  constructor(pool: Piscina<RenderTask, void>, report: ReportOptions, maxTaggedPages: number, signal: AbortSignal) {
    this.#jobId = report.jobId;
    this.#pool = pool;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: FromDrawing) => this.#receive(message));
    this.#unfollow = onAbort(signal, () => this.#fail(signal.reason));
    const task: RenderTask = { port: port2, report, maxTaggedPages };
    // Without the signal: with one, piscina would give the task a thread of its own.
    const running = pool.run(task, { transferList: [port2] });
    this.#ended = running.catch((cause: unknown) => this.#fail(this.hasBegun ? this.#died(cause) : notStarted(cause)));
  }

  /** True once a thread has begun, and may have got data of the report. */
  get hasBegun(): boolean {
    return this.#threadId !== undefined;
  }

  /** Yields the bytes of the file in order; returns the facts known at its end. */
  async *bytes(
    drivers: (readEnds: ReadEnds) => AsyncIterable<DriverOutcome>,
  ): AsyncGenerator<Uint8Array, DrawnReport & DrawnPages & Pick<DrawnFile, 'table'>> {
    const table: Uint8Array[] = [];
    this.#send(drivers(this.#readEnds)).catch((error: unknown) => this.#fail(error));
    for (;;) {
      const message = await this.#inbox.take();
      if (message.kind === 'drawn') return { ...message, table: tableOf(table) };
      if (message.table.length > 0) table.push(message.table);
      yield message.bytes;
      this.#tell({ kind: 'take' });
    }
  }

  /** Frees the thread after completion or cancellation. */
  end(): void {
    this.#unfollow();
    this.#fail(new ReportRenderError(`Report ${this.#jobId} is not drawn any more.`));
    this.#tell({ kind: 'cancel' });
    this.#port.close();
    // The timer is cleared, because it keeps all that the report was made of.
    void withinTime(this.#ended, CANCEL_MILLISECONDS).then((end) => end === LATE && this.#endThread());
  }

  /** Ends an unresponsive thread. The pool starts another one. */
  #endThread(): void {
    void this.#pool.threads.find(({ threadId }) => threadId === this.#threadId)?.terminate();
  }

  async #send(drivers: AsyncIterable<DriverOutcome>): Promise<void> {
    // No data is fetched before a thread asks for it.
    await this.#wanted.take();
    for await (const outcome of drivers) {
      this.#tell({ kind: 'driver', outcome: outcome.kind === 'day' ? this.#sendDay(outcome) : outcome });
      await this.#wanted.take();
    }
    this.#tell({ kind: 'drivers ended' });
  }

  #sendDay({ trips, sent, weighed, ...facts }: DayOutcome): SentDay {
    return {
      ...facts,
      list: sent ?? this.#sendTrips(trips),
      addresses: trips.map(({ startAddress, endAddress }) => ({ startAddress, endAddress })),
      weighed: withLists(weighed, (list) => this.#sendTrips(list)),
    };
  }

  readonly #readEnds: ReadEnds = (trips) =>
    new Promise((resolve, reject) => {
      this.#over.signal.throwIfAborted();
      const sent = this.#sendTrips(trips, true);
      this.#asked.set(sent, { resolve: (ends) => resolve({ sent, ends }), reject });
    });

  /** Sends trips in messages that are not too large. @returns the number of the list */
  #sendTrips(trips: readonly ReportedTrip[], asks = false): number {
    const list = (this.#lists += 1);
    let from = 0;
    let fixes = 0;
    for (const [index, { track }] of trips.entries()) {
      fixes += 1 + track.length;
      if (fixes < MAX_FIXES_OF_MESSAGE) continue;
      this.#tell({ kind: 'trips', list, trips: trips.slice(from, index + 1), asks: false });
      from = index + 1;
      fixes = 0;
    }
    this.#tell({ kind: 'trips', list, trips: trips.slice(from), asks });
    return list;
  }

  #receive(message: FromDrawing): void {
    if (message.kind === 'begun') this.#threadId = message.threadId;
    else if (message.kind === 'want') this.#wanted.add(message.drivers);
    else if (message.kind === 'failed') this.#fail(this.#died(message.message));
    else if (message.kind !== 'ends') this.#inbox.put(message);
    else {
      this.#asked.get(message.list)?.resolve(message.ends);
      this.#asked.delete(message.list);
    }
  }

  #tell(message: ToDrawing): void {
    this.#port.postMessage(message);
  }

  #fail(reason: unknown): void {
    this.#over.abort(reason);
    for (const { reject } of this.#asked.values()) reject(this.#over.signal.reason as Error);
  }

  #died(cause: unknown): ReportRenderError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ReportRenderError(`Report ${this.#jobId} could not be drawn: ${reason}`, { cause });
  }
}
