import type { Observer } from '../../observation.js';
import type { ReportOptions } from '../model.js';

/** The end of a report; `undefined` when it was not drawn to its end. */
export interface DrawnPages {
  readonly pages: number;
  /** Time that the thread drew, waiting for data and for others left out, in milliseconds. */
  readonly drawingMs: number;
}

/** Watches reports, from when they may begin to when they are drawn, or not drawn any more. */
export type ReportObserver = Observer<ReportOptions, DrawnPages | undefined>;
