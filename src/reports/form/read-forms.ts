import {
  DEFAULT_FORM,
  FORM_BLOCKS,
  FORM_LABELS,
  type FormBlock,
  type FormLabel,
  type ReportForm,
} from './report-form.js';

/** Languages of forms. */
const LOCALES = ['en', 'ja'] as const;
type Locale = (typeof LOCALES)[number];

/** Forms parsed from a description. */
export interface ReadForms {
  readonly forms: Readonly<Partial<Record<Locale, ReportForm>>>;
  /** One line per fault with its location; empty if valid. */
  readonly faults: readonly string[];
}

/** Number of stamp boxes that fit beside a title. */
const MAX_STAMPS = 5;
/** Length limit of labels and stamp names, in characters; the boxes for them are small. */
const MAX_LABEL = 24;
/** Width limit of stamp names; a Han character counts as two. */
const MAX_STAMP_COLUMNS = 24;
/** First wide character; letters of alphabets precede it. */
const FIRST_WIDE = '\u2e80';
const FIELDS = ['blocks', 'labels', 'stamps', 'era'];

/**
 * Reads forms by language, as `{ "ja": { "blocks": [...], "labels": {...}, "stamps": [...], "era": true } }`. Every
 * field is optional.
 *
 * @param given parsed JSON
 */
export function readForms(given: unknown): ReadForms {
  const faults: string[] = [];
  const forms: Partial<Record<Locale, ReportForm>> = {};
  if (!isRecord(given)) return { forms, faults: ['must hold an object with a form by language: { "ja": { ... } }.'] };
  for (const [locale, form] of Object.entries(given)) {
    const known = oneOf(LOCALES, locale);
    if (known === undefined) faults.push(`has a form for ${quoted(locale)}; there are ${listed(LOCALES)}.`);
    else forms[known] = readForm(known, form, (text) => void faults.push(`${known}${text}`));
  }
  return { forms, faults };
}

type Fault = (text: string) => void;

function readForm(locale: Locale, given: unknown, fault: Fault): ReportForm {
  if (!isRecord(given)) {
    fault(' must be an object.');
    return DEFAULT_FORM;
  }
  for (const field of Object.keys(given)) {
    if (!FIELDS.includes(field)) fault(` has ${quoted(field)}; there are ${listed(FIELDS)}.`);
  }
  const { blocks, labels, stamps, era } = given;
  return {
    blocks: blocks === undefined ? DEFAULT_FORM.blocks : readBlocks(blocks, fault),
    labels: labels === undefined ? {} : readLabels(labels, fault),
    ...(stamps !== undefined && { stamps: readStamps(stamps, fault) }),
    era: era === undefined ? false : readEra(locale, era, fault),
  };
}

function readBlocks(given: unknown, fault: Fault): readonly FormBlock[] {
  if (!Array.isArray(given)) {
    fault(`.blocks must be a list of ${listed(FORM_BLOCKS)}.`);
    return [];
  }
  const blocks: FormBlock[] = [];
  for (const entry of given as readonly unknown[]) {
    const block = oneOf(FORM_BLOCKS, entry);
    if (block === undefined) fault(`.blocks holds ${quoted(entry)}; there are ${listed(FORM_BLOCKS)}.`);
    else if (blocks.includes(block)) fault(`.blocks holds ${quoted(entry)} twice.`);
    else blocks.push(block);
  }
  return blocks;
}

function readLabels(given: unknown, fault: Fault): ReportForm['labels'] {
  if (!isRecord(given)) {
    fault('.labels must be an object of texts.');
    return {};
  }
  const labels: Partial<Record<FormLabel, string>> = {};
  for (const [name, text] of Object.entries(given)) {
    const label = oneOf(FORM_LABELS, name);
    if (label === undefined) fault(`.labels holds ${quoted(name)}; there are ${listed(FORM_LABELS)}.`);
    else if (!isLabel(text)) fault(`.labels.${label} must be a text of 1 to ${MAX_LABEL} characters.`);
    else labels[label] = text;
  }
  return labels;
}

function readStamps(given: unknown, fault: Fault): readonly string[] {
  if (Array.isArray(given) && given.length <= MAX_STAMPS && given.every(isStamp)) return given;
  fault(
    `.stamps must be a list of up to ${MAX_STAMPS} texts of 1 to ${MAX_STAMP_COLUMNS} letters, or half as many Han characters.`,
  );
  return [];
}

function readEra(locale: Locale, given: unknown, fault: Fault): boolean {
  if (typeof given !== 'boolean') fault('.era must be true or false.');
  else if (given && locale !== 'ja') fault('.era can be true for ja alone.');
  return given === true;
}

function isLabel(given: unknown): given is string {
  return typeof given === 'string' && given.trim() !== '' && given.length <= MAX_LABEL;
}

function isStamp(given: unknown): given is string {
  if (!isLabel(given)) return false;
  const columns = Array.from(given).reduce((sum, character) => sum + (character >= FIRST_WIDE ? 2 : 1), 0);
  return columns <= MAX_STAMP_COLUMNS;
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function oneOf<const T extends string>(known: readonly T[], given: unknown): T | undefined {
  return known.find((each) => each === given);
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

/** Formats as JSON, cut after 40 characters; the beginning identifies the value. */
function quoted(given: unknown): string {
  const text = JSON.stringify(given);
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
