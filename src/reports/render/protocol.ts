import type { MessagePort } from 'node:worker_threads';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Position } from '../day/plausible.js';
import type { DayFacts, DrawnPages, FailedDay, ReportedTrip, ReportOptions, TripAddresses } from '../model.js';
import type { DrawnReport } from './draw-report.js';

export interface RenderTask {
  readonly port: MessagePort;
  readonly report: ReportOptions;
  readonly maxTaggedPages: number;
}

export type ToDrawing =
  /** Trips of a list, or some of them if it is too large for one message; with `asks`, all have come. */
  | { readonly kind: 'trips'; readonly list: number; readonly trips: readonly ReportedTrip[]; readonly asks: boolean }
  /** Next driver. The lists of trips have come before. */
  | { readonly kind: 'driver'; readonly outcome: SentDay | FailedDay }
  | { readonly kind: 'drivers ended' }
  /** Allows the thread to send another chunk. */
  | { readonly kind: 'take' }
  | { readonly kind: 'cancel' };

/** Facts about a day, the number of its list of trips, and their addresses. */
export interface SentDay extends DayFacts<number> {
  readonly list: number;
  readonly addresses: readonly TripAddresses[];
}

export type FromDrawing =
  | { readonly kind: 'begun'; readonly threadId: number }
  | { readonly kind: 'want'; readonly drivers: number }
  | { readonly kind: 'ends'; readonly list: number; readonly ends: readonly Position[] }
  /** Next bytes of the file, and a block of the table that has come up meanwhile. */
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array; readonly table: Uint8Array }
  | ({ readonly kind: 'drawn' } & DrawnReport & DrawnPages)
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

/** Compresses a part of the table, which is kept until the file is stored: ten thousand drivers have some 20 MB. */
export function tableBlock(text: string): Uint8Array {
  return text === '' ? new Uint8Array() : deflateRawSync(text, { level: 1 });
}

/** Yields the table of its blocks. */
export async function* tableOf(blocks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const block of blocks) yield await Promise.resolve(inflateRawSync(block));
}

/** Queue of messages from the other thread, in the order of arrival. */
export class Inbox<Message extends object | true> {
  readonly #signal: AbortSignal;
  /** The credits of the other side bound them. */
  readonly #messages: Message[] = [];
  #waiting: { readonly resolve: (message: Message) => void; readonly reject: (reason: Error) => void } | undefined;

  /** @param signal ends receiving: present and later callers of `take` get its reason thrown */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#waiting?.reject(signal.reason as Error), { once: true });
  }

  /** Passes a message to a waiting caller, or stores it. */
  put(message: Message): void {
    if (this.#waiting === undefined) this.#messages.push(message);
    else this.#waiting.resolve(message);
    this.#waiting = undefined;
  }

  /** Takes the next message. One caller at a time. */
  async take(): Promise<Message> {
    this.#signal.throwIfAborted();
    return this.#messages.shift() ?? new Promise<Message>((resolve, reject) => (this.#waiting = { resolve, reject }));
  }
}

/** Credits for sending to the other thread, each for one message, so that the slower thread sets the pace. */
export class Credits extends Inbox<true> {
  add(count: number): void {
    for (let left = count; left > 0; left -= 1) this.put(true);
  }
}
