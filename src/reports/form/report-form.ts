/** Parts of a page that are filled in by hand, in their order on the page. */
export const FORM_BLOCKS = ['rollCall', 'odometer', 'conditions', 'remarks'] as const;
export type FormBlock = (typeof FORM_BLOCKS)[number];

/** Labels of the spaces filled in by hand, except the stamps. */
export const FORM_LABELS = [
  'registration',
  'rollCall',
  'before',
  'after',
  'by',
  'time',
  'method',
  'result',
  'odometerOut',
  'odometerIn',
  'odometerDifference',
  'measured',
  'weather',
  'load',
  'changeOfDriver',
  'incident',
  'waypoints',
  'instructions',
  'remarks',
  'rest',
  'waiting',
  'loading',
  'unloading',
  'ancillary',
  'pickup',
  'consignor',
  'arrival',
  'begin',
  'end',
] as const;
export type FormLabel = (typeof FORM_LABELS)[number];

/** Operator settings for the parts filled in by hand; the language of the report determines the rest. */
export interface ReportForm {
  /** If empty, nothing is filled in by hand: no registration number, no tick boxes. */
  readonly blocks: readonly FormBlock[];
  /** Labels that replace those of the language. */
  readonly labels: Readonly<Partial<Record<FormLabel, string>>>;
  /** Names of the stamp boxes from left to right; if absent, those of the language, or none without blocks. */
  readonly stamps?: readonly string[] | undefined;
  /** Prints dates in Japanese eras. */
  readonly era: boolean;
}

/** Form without operator settings. */
export const DEFAULT_FORM: ReportForm = { blocks: FORM_BLOCKS, labels: {}, era: false };
