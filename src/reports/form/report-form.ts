/** Parts of a page that are filled in by hand, in the order in which they stand there. */
export const FORM_BLOCKS = ['rollCall', 'odometer', 'conditions', 'remarks'] as const;
export type FormBlock = (typeof FORM_BLOCKS)[number];

/** Every word beside a space for the hand, but the stamps. */
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
  'instructions',
  'remarks',
  'rest',
  'waiting',
  'loading',
  'unloading',
  'arrival',
  'begin',
  'end',
] as const;
export type FormLabel = (typeof FORM_LABELS)[number];

/** What an operator has decided about the parts for the hand; everything else is as in the language of the report. */
export interface ReportForm {
  /** With none of them nothing is left for the hand: no registration number, no boxes to tick. */
  readonly blocks: readonly FormBlock[];
  /** Words that are other than those of the language. */
  readonly labels: Readonly<Partial<Record<FormLabel, string>>>;
  /** Names of the boxes for stamps, from left to right; those of the language when absent, none without blocks. */
  readonly stamps?: readonly string[] | undefined;
  /** Whether dates are printed in Japanese eras. */
  readonly era: boolean;
}

/** The form of whoever has decided nothing. */
export const DEFAULT_FORM: ReportForm = { blocks: FORM_BLOCKS, labels: {}, era: false };
