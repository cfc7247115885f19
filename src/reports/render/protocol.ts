import type { MessagePort } from 'node:worker_threads';
import type { DriverOutcome, ReportOptions } from '../model.js';

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

/** Drivers that wait beside the one that is drawn: the next is there when a page is finished. */
export const MAX_DRIVERS_AHEAD = 3;
/** Chunks on their way to a slow store; with the chunk size this bounds what a report holds in memory. */
export const MAX_CHUNKS_AHEAD = 4;
