import { DRIVING_RULES, type DrivingRules, REPORT_LOCALES, type ReportLocale } from '../base/config/config.js';
import { timeZoneNamed } from '../base/config/time-zone.js';

/** Parts of a page that are filled in by hand, in their order on the page. */
export const FORM_BLOCKS = ['rollCall', 'odometer', 'conditions', 'remarks'] as const;
export type FormBlock = (typeof FORM_BLOCKS)[number];

/** Spaces filled in by hand, except the stamps; each language has words for them. */
export const FORM_LABELS = [
  ...['registration', 'rollCall', 'before', 'after', 'by', 'time', 'method', 'result', 'odometerOut', 'odometerIn'],
  ...['odometerDifference', 'measured', 'weather', 'load', 'changeOfDriver', 'incident', 'waypoints', 'instructions'],
  ...['remarks', 'rest', 'waiting', 'loading', 'unloading', 'ancillary', 'pickup', 'consignor'],
  ...['arrival', 'begin', 'end'],
] as const;
export type FormLabel = (typeof FORM_LABELS)[number];

/** Operator settings for the parts filled in by hand; the language of the report determines the rest. */
export interface ReportForm {
  /** If empty, nothing is filled in by hand: no registration number, no tick boxes. */
  readonly blocks: readonly FormBlock[];
  readonly labels: Readonly<Partial<Record<FormLabel, string>>>;
  /** Names of the stamp boxes from left to right; if absent, those of the language, or none without blocks. */
  readonly stamps?: readonly string[] | undefined;
  readonly era: boolean;
}

export const DEFAULT_FORM: ReportForm = { blocks: FORM_BLOCKS, labels: {}, era: false };

/** Settings of the reports of one organisation. For absent ones, those of the installation apply. */
export interface OrganisationReports {
  readonly name?: string;
  /** PNG file, relative to the directory of the file that names it, and its alternative text. */
  readonly logo?: { readonly file: string; readonly alternative: string };
  readonly locale?: ReportLocale;
  readonly timeZone?: string;
  readonly drivingRules?: DrivingRules;
}

/** Forms parsed from a description, and a line with its location for each fault. */
export type ReadForms = ReturnType<typeof readForms>;

/** Most characters of a name and of the alternative text of a logo. */
const MAX_NAME = 100;
/** Number of stamp boxes that fit beside a title. */
const MAX_STAMPS = 5;
/** Most characters of a label, and of a stamp name, in which a Han character counts as two; the boxes are small. */
const MAX_LABEL = 24;
/** First wide character; letters of alphabets precede it. */
const FIRST_WIDE = '\u2e80';

/**
 * Reads forms by language, as `{ "ja": { "blocks": [...], "labels": {...}, "stamps": [...], "era": true } }`, and the
 * settings of `organisations` by code. Every field is optional. A part with a fault is left out.
 *
 * @param given parsed JSON
 */
export function readForms(given: unknown) {
  const faults: string[] = [];
  const forms: Partial<Record<ReportLocale, ReportForm>> = {};
  const organisations = new Map<string, OrganisationReports>();
  if (!isRecord(given)) {
    faults.push('must hold an object with a form by language: { "ja": { ... } }.');
    return { forms, organisations, faults };
  }
  const { organisations: byCode = {}, ...byLocale } = given;
  for (const [locale, form] of Object.entries(byLocale)) {
    if (!isOneOf(REPORT_LOCALES, locale)) faults.push(`has a form for ${otherThan(REPORT_LOCALES, locale)}`);
    else if (isOf<Partial<ReportForm>>(form, OF_FORM, locale, faults)) forms[locale] = { ...DEFAULT_FORM, ...form };
  }
  if (!isRecord(byCode)) faults.push('organisations must be an object with settings by code.');
  for (const [code, settings] of Object.entries(isRecord(byCode) ? byCode : {})) {
    const place = `organisations.${code}`;
    if (isOf<OrganisationReports>(settings, OF_ORGANISATION, place, faults)) organisations.set(code, settings);
  }
  return { forms, organisations, faults };
}

/** Checks of fields, which return the faults of a value. @param place of the object with the field */
type Checks<Of> = Readonly<Record<keyof Of & string, (given: unknown, place: string) => readonly string[]>>;

/** True for an object of the fields; otherwise adds its faults. */
function isOf<Of>(given: unknown, checks: Checks<Of>, place: string, faults: string[]): given is Of {
  const fields = Object.keys(checks) as (keyof Of & string)[]; // keys of a table
  const faultsOf = ([field, value]: [string, unknown]): readonly string[] =>
    isOneOf(fields, field) ? checks[field](value, place) : [` has ${otherThan(fields, field)}`];
  const found = isRecord(given) ? Object.entries(given).flatMap(faultsOf) : [' must be an object.'];
  faults.push(...found.map((fault) => `${place}${fault}`));
  return found.length === 0;
}

/** Makes the check of a field with one sentence for all its faults. */
function check(field: string, must: string, isRight: (given: unknown) => boolean) {
  return (given: unknown): readonly string[] => (isRight(given) ? [] : [`.${field} must be ${must}.`]);
}

const TEXT = `a text of 1 to ${MAX_NAME} characters`;

const OF_ORGANISATION: Checks<OrganisationReports> = {
  name: check('name', TEXT, (given) => isName(given)),
  logo: check(
    'logo',
    `{ "file", "alternative" }, the path of a PNG file and ${TEXT}`,
    (given) => isRecord(given) && isName(given['alternative']) && typeof given['file'] === 'string',
  ),
  locale: check('locale', REPORT_LOCALES.join(' or '), (given) => isOneOf(REPORT_LOCALES, given)),
  timeZone: check(
    'timeZone',
    'a time zone by its IANA name, such as Europe/Berlin',
    (given) => typeof given === 'string' && timeZoneNamed(given) !== undefined,
  ),
  drivingRules: check('drivingRules', DRIVING_RULES.join(' or '), (given) => isOneOf(DRIVING_RULES, given)),
};

const OF_FORM: Checks<ReportForm> = {
  blocks: (given) => {
    if (!Array.isArray(given)) return [`.blocks must be a list of ${FORM_BLOCKS.join(', ')}.`];
    return given.flatMap((block: unknown, index) => {
      if (!isOneOf(FORM_BLOCKS, block)) return [`.blocks holds ${otherThan(FORM_BLOCKS, block)}`];
      return given.indexOf(block) < index ? [`.blocks holds ${quoted(block)} twice.`] : [];
    });
  },
  labels: (given) => {
    if (!isRecord(given)) return ['.labels must be an object of texts.'];
    return Object.entries(given).flatMap(([name, text]) => {
      if (!isOneOf(FORM_LABELS, name)) return [`.labels holds ${otherThan(FORM_LABELS, name)}`];
      return isLabel(text) ? [] : [`.labels.${name} must be a text of 1 to ${MAX_LABEL} characters.`];
    });
  },
  stamps: (given) => {
    if (Array.isArray(given) && given.length <= MAX_STAMPS && given.every(isStamp)) return [];
    const length = `1 to ${MAX_LABEL} letters, or half as many Han characters`;
    return [`.stamps must be a list of up to ${MAX_STAMPS} texts of ${length}.`];
  },
  era: (given, locale) => {
    if (typeof given !== 'boolean') return ['.era must be true or false.'];
    return given && locale !== 'ja' ? ['.era can be true for ja alone.'] : [];
  },
};

function isName(given: unknown, longest = MAX_NAME): given is string {
  return typeof given === 'string' && given.trim() !== '' && given.length <= longest;
}

function isLabel(given: unknown): given is string {
  return isName(given, MAX_LABEL);
}

function isStamp(given: unknown): given is string {
  if (!isLabel(given)) return false;
  const columns = Array.from(given).reduce((sum, character) => sum + (character >= FIRST_WIDE ? 2 : 1), 0);
  return columns <= MAX_LABEL;
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isOneOf<const T extends string>(known: readonly T[], given: unknown): given is T {
  return known.some((each) => each === given);
}

/** Names a value that is none of those known. */
function otherThan(known: readonly string[], given: unknown): string {
  return `${quoted(given)}; there are ${known.join(', ')}.`;
}

/** Formats as JSON, cut after 40 characters; the beginning identifies the value. */
function quoted(given: unknown): string {
  const text = JSON.stringify(given);
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
