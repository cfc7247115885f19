import type { MessagePort } from 'node:worker_threads';
import type { DriverOutcome, Fix, ReportedTrip, ReportOptions, ReportTrip } from '../model.js';

/** Task for the thread pool. */
export interface RenderTask {
  readonly port: MessagePort;
  readonly report: ReportOptions;
  readonly maxTaggedPages: number;
}

/** Message to the drawing thread. */
export type ToDrawing =
  /** Trips of a day, or some of them if the day is too large for one message; with `asks`, all have come. */
  | { readonly kind: 'trips'; readonly day: number; readonly trips: readonly ReportedTrip[]; readonly asks: boolean }
  /** Next driver. The trips of a day are those that came before, with these addresses. */
  | {
      readonly kind: 'driver';
      readonly outcome: DriverOutcome;
      readonly day: number;
      /** Numbers of the lists of `weighed`, in order; they came before as well. */
      readonly lists: readonly number[];
      readonly addresses: readonly Pick<ReportTrip, 'startAddress' | 'endAddress'>[];
    }
  | { readonly kind: 'drivers ended' }
  /** Allows the thread to send another chunk. */
  | { readonly kind: 'take' }
  | { readonly kind: 'cancel' };

/** Message from the drawing thread. */
export type FromDrawing =
  | { readonly kind: 'begun'; readonly threadId: number }
  /** Asks for more drivers. */
  | { readonly kind: 'want'; readonly drivers: number }
  /** Answers `asks`. */
  | { readonly kind: 'ends'; readonly day: number; readonly ends: readonly Fix[] }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'drawn';
      readonly pages: number;
      readonly missingCharacters: ReadonlyMap<string, number>;
      /** Drawing time of the thread, without waiting, in milliseconds. */
      readonly drawingMs: number;
    }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Approximate number of trips and fixes per message. V8 cannot end a thread while it reads one: if that exceeds the
 * memory, the whole process ends, with all reports.
 */
export const MAX_FIXES_OF_MESSAGE = 5_000;
/** Drivers queued beside the one being drawn, so that the next is ready when a page is finished. */
export const MAX_DRIVERS_AHEAD = 3;
/** Chunks in transit to a slow store; with the chunk size, this bounds the memory of a report. */
export const MAX_CHUNKS_AHEAD = 4;

/** Queue of messages from the other thread, in the order of arrival. */
export class Inbox<Message extends object | true> {
  /** The credits of the other side bound them. */
  readonly #messages: Message[] = [];
  #waiting: { readonly resolve: (message: Message) => void; readonly reject: (reason: unknown) => void } | undefined;
  #failure: { readonly reason: unknown } | undefined;

  /** Passes a message to a waiting caller, or stores it. */
  put(message: Message): void {
    if (this.#waiting === undefined) this.#messages.push(message);
    else this.#waiting.resolve(message);
    this.#waiting = undefined;
  }

  /** Takes the next message. One caller at a time. After a failure, throws its reason at once. */
  async take(): Promise<Message> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    return this.#messages.shift() ?? new Promise<Message>((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  /** Ends receiving: present and later callers of `take` get the reason thrown. The first reason counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(this.#failure.reason);
    this.#waiting = undefined;
  }
}

/** Credits for sending to the other thread, each for one message, so that the slower thread sets the pace. */
export class Credits extends Inbox<true> {
  add(count: number): void {
    for (let left = count; left > 0; left -= 1) this.put(true);
  }
}
