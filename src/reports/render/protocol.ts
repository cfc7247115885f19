import type { MessagePort } from 'node:worker_threads';
import type { DriverOutcome, ReportOptions, ReportTrip } from '../model.js';

/** What the pool of threads is asked to do. */
export type RenderTask =
  | { readonly kind: 'warm' }
  | {
      readonly kind: 'render';
      readonly port: MessagePort;
      readonly report: ReportOptions;
      readonly maxTaggedPages: number;
    };

/** What the drawing thread is told. */
export type ToDrawing =
  /** What the day of the next driver begins with, where it is too much for one message. */
  | { readonly kind: 'earlier trips'; readonly trips: readonly ReportTrip[] }
  | { readonly kind: 'driver'; readonly outcome: DriverOutcome }
  | { readonly kind: 'drivers ended' }
  /** That many more chunks may be sent. */
  | { readonly kind: 'take'; readonly chunks: number }
  | { readonly kind: 'cancel' };

/** What the drawing thread tells. */
export type FromDrawing =
  | { readonly kind: 'begun'; readonly threadId: number }
  /** That many more drivers may be sent. */
  | { readonly kind: 'want'; readonly drivers: number }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'drawn';
      readonly pages: number;
      readonly missingCharacters: ReadonlyMap<string, number>;
      /** Time that the thread drew, waiting left out. */
      readonly drawingMs: number;
    }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Trips and fixes of a message, about. V8 cannot end a thread while it reads one: where that takes more memory
 * than there is, the whole process ends, and everybody’s reports with it.
 */
export const MAX_FIXES_OF_MESSAGE = 5_000;
/** Drivers that wait beside the one that is drawn: the next is there when a page is finished. */
export const MAX_DRIVERS_AHEAD = 3;
/** Chunks on their way to a slow store; with the chunk size this bounds what a report holds in memory. */
export const MAX_CHUNKS_AHEAD = 4;
