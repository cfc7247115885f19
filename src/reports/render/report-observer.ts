import type { Observer } from '../../observation.js';
import type { ReportOptions } from '../model.js';

/** Result of a report; `undefined` if drawing did not complete. */
export interface DrawnPages {
  readonly pages: number;
  /** Drawing time of the thread, without waiting for data and other reports, in milliseconds. */
  readonly drawingMs: number;
}

/** Observes reports from their admission until drawing ends, complete or not. */
export type ReportObserver = Observer<ReportOptions, DrawnPages | undefined>;
