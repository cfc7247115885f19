import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { onAbort } from '../../waits.js';
import {
  type DrawnPages,
  type DriverOutcome,
  type ReadDay,
  type ReadEnds,
  type ReportedTrip,
  type ReportOptions,
  withLists,
} from '../model.js';
import type { DrawnReport } from './draw-report.js';
import { Credits, type FromDrawing, Inbox, MAX_FIXES_OF_MESSAGE, type RenderTask, type ToDrawing } from './protocol.js';

/** Failure to draw a report whose data was available. */
export class ReportRenderError extends Error {
  override readonly name = 'ReportRenderError';
  readonly code = 'REPORT_RENDER_FAILED';
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
  readonly #inbox = new Inbox<Extract<FromDrawing, { kind: 'chunk' | 'drawn' }>>();
  readonly #wanted = new Credits();
  /** Days whose ends were asked for, by number. */
  readonly #asked = new Map<number, Inbox<Extract<FromDrawing, { kind: 'ends' }>>>();
  #days = 0;
  readonly #unfollow: () => void;
  readonly #pool: Piscina<RenderTask, void>;
  /** Drawing thread; undefined until it has begun. */
  #threadId: number | undefined;
  #isOver = false;
  #failure: { readonly reason: unknown } | undefined;

  constructor(pool: Piscina<RenderTask, void>, report: ReportOptions, maxTaggedPages: number, signal: AbortSignal) {
    this.#jobId = report.jobId;
    this.#pool = pool;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: FromDrawing) => this.#receive(message));
    this.#unfollow = onAbort(signal, () => this.#fail(signal.reason));
    const task: RenderTask = { port: port2, report, maxTaggedPages };
    pool
      // Without the signal: with one, piscina would give the task a thread of its own.
      .run(task, { transferList: [port2] })
      .catch((cause: unknown) => this.#fail(this.#died(cause)))
      .finally(() => (this.#isOver = true));
  }

  /** Yields the bytes of the file in order; returns the facts known at its end. */
  async *bytes(
    drivers: (readEnds: ReadEnds) => AsyncIterable<DriverOutcome>,
  ): AsyncGenerator<Uint8Array, DrawnReport & DrawnPages> {
    this.#send(drivers((trips) => this.#readEnds(trips))).catch((error: unknown) => this.#fail(error));
    for (;;) {
      const message = await this.#inbox.take();
      if (message.kind === 'drawn') return message;
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
    if (!this.#isOver) setTimeout(() => this.#isOver || this.#endThread(), CANCEL_MILLISECONDS).unref();
  }

  /** Ends an unresponsive thread. The pool starts another one. */
  #endThread(): void {
    void this.#pool.threads.find(({ threadId }) => threadId === this.#threadId)?.terminate();
  }

  async #send(drivers: AsyncIterable<DriverOutcome>): Promise<void> {
    // No data is fetched before a thread asks for it.
    await this.#wanted.take();
    for await (const outcome of drivers) {
      this.#tellDriver(outcome);
      await this.#wanted.take();
    }
    this.#tell({ kind: 'drivers ended' });
  }

  #tellDriver(outcome: DriverOutcome): void {
    if (outcome.kind !== 'day') {
      this.#tell({ kind: 'driver', outcome, day: 0, lists: [], addresses: [] });
      return;
    }
    const { trips } = outcome;
    const day = outcome.sent ?? this.#sendTrips(trips, false);
    const addresses = trips.map(({ startAddress, endAddress }) => ({ startAddress, endAddress }));
    const lists: number[] = [];
    const weighed =
      outcome.weighed &&
      withLists(outcome.weighed, (list) => {
        lists.push(this.#sendTrips(list, false));
        return [];
      });
    this.#tell({
      kind: 'driver',
      outcome: { ...outcome, trips: [], ...(weighed && { weighed }) },
      day,
      lists,
      addresses,
    });
  }

  async #readEnds(trips: readonly ReportedTrip[]): Promise<ReadDay> {
    const day = this.#sendTrips(trips, true);
    const answer = new Inbox<Extract<FromDrawing, { kind: 'ends' }>>();
    if (this.#failure) answer.fail(this.#failure.reason);
    this.#asked.set(day, answer);
    const { ends } = await answer.take();
    this.#asked.delete(day);
    return { sent: day, ends };
  }

  /** Sends the trips of a day in messages that are not too large. @returns the number of the day */
  #sendTrips(trips: readonly ReportedTrip[], asks: boolean): number {
    const day = (this.#days += 1);
    let from = 0;
    let fixes = 0;
    for (const [index, { track }] of trips.entries()) {
      fixes += 1 + track.length;
      if (fixes < MAX_FIXES_OF_MESSAGE) continue;
      this.#tell({ kind: 'trips', day, trips: trips.slice(from, index + 1), asks: false });
      from = index + 1;
      fixes = 0;
    }
    this.#tell({ kind: 'trips', day, trips: trips.slice(from), asks });
    return day;
  }

  #receive(message: FromDrawing): void {
    if (message.kind === 'begun') this.#threadId = message.threadId;
    else if (message.kind === 'want') this.#wanted.add(message.drivers);
    else if (message.kind === 'ends') this.#asked.get(message.day)?.put(message);
    else if (message.kind === 'failed') this.#fail(this.#died(message.message));
    else this.#inbox.put(message);
  }

  #tell(message: ToDrawing): void {
    this.#port.postMessage(message);
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#inbox.fail(reason);
    this.#wanted.fail(reason);
    for (const answer of this.#asked.values()) answer.fail(reason);
  }

  #died(cause: unknown): ReportRenderError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ReportRenderError(`Report ${this.#jobId} could not be drawn: ${reason}`, { cause });
  }
}
