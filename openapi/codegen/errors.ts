import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import {
  CHOICES,
  ERRORS,
  LISTS,
  NUMBERS,
  valueNamesOf,
  type ErrorRow,
  type Reason,
} from '../../src/base/error-table.js';

/** A code and a reason that a GraphQL reply can carry. */
interface PublishedError {
  readonly code: string;
  readonly reason: string;
  readonly text: string;
  /** Readers of the text: end users, or developers of front ends. */
  readonly readBy: ErrorRow['read'];
  /** Names of the values. */
  readonly values: readonly string[];
  readonly where: readonly Place[];
}

/** Places of a reply, with the type of their reasons and the meaning. */
const PLACES = {
  errors: ['ErrorReason', '`extensions` of an error'],
  fields: ['FieldReason', 'an entry of `extensions.fields`'],
  failures: ['JobFailureReason', 'an entry of `failures`, `itemErrors` or `errorList` of a job'],
  warnings: ['JobWarningReason', 'an entry of `warnings` of a job'],
} as const;

type Place = keyof typeof PLACES;

/**
 * Code generator plugin: the errors that front ends get, from the error table. A `.json` file gets the list, a `.d.ts`
 * file, behind the types of the schema, those of reasons and values.
 */
export const plugin: PluginFunction = (_schema, _documents, _config, info) =>
  info?.outputFile?.endsWith('.json') === true ? `${JSON.stringify(published(), null, 2)}\n` : declarations();

function published(): readonly PublishedError[] {
  return Object.entries<ErrorRow>(ERRORS).flatMap(([name, { code, read, field, item, warning, text }]) => {
    const reason = name as Reason; // a name of the table
    const codes: Readonly<Record<Place, string | undefined>> = {
      errors: code,
      fields: field && read === 'front ends' ? 'BadInput' : undefined,
      failures: item,
      warnings: warning,
    };
    const places = Object.keys(codes) as Place[]; // as typed above
    const found = new Set(Object.values(codes).filter((each) => each !== undefined));
    const values = valueNamesOf(reason);
    return Array.from(found, (each) => {
      return { code: each, reason, text, readBy: read, values, where: places.filter((place) => codes[place] === each) };
    });
  });
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

function declarations(): string {
  const errors = published();
  const union = (names: readonly string[]): string => [...new Set(names)].map((name) => `\n  | '${name}'`).join('');
  const choices = new Map<string, readonly string[]>(Object.entries(CHOICES));
  const typeOf = (name: string): string => {
    const listed = choices.get(name);
    if (listed) return listed.map((choice) => `'${choice}'`).join(' | ');
    return isOneOf(NUMBERS, name) ? 'number' : isOneOf(LISTS, name) ? 'readonly string[]' : 'string';
  };
  const valuesOf = (names: readonly string[]): string =>
    names.length === 0
      ? 'Readonly<Record<string, never>>'
      : `{ ${names.map((name) => `readonly ${name}: ${typeOf(name)}`).join('; ')} }`;
  const rows = new Map(errors.map(({ reason, values }) => [reason, values]));
  return `
/** Values of each reason. */
export interface ValuesOfReason {
${Array.from(rows, ([reason, values]) => `  readonly ${reason}: ${valuesOf(values)};`).join('\n')}
}

/** Every reason. */
export type Reason = keyof ValuesOfReason;

/** Reasons whose texts end users read. */
export type UserReason =${union(errors.filter(({ readBy }) => readBy === 'users').map(({ reason }) => reason))};

/** A reason with its values, as a reply has them beside \`code\` and \`message\`. */
export type Reasoned<Name extends Reason = Reason> = {
  readonly [Each in Name]: { readonly reason: Each; readonly values: ValuesOfReason[Each] };
}[Name];
${(Object.entries(PLACES) as [Place, (typeof PLACES)[Place]][])
  .map(([place, [reasons, meaning]]) => {
    const here = errors.filter(({ where }) => where.includes(place));
    return `
/** Reasons of ${meaning}. */
export type ${reasons} =${union(here.map(({ reason }) => reason))};
`;
  })
  .join('')}
/** An entry of the list: a code with a reason, its text and its readers, the names of its values, and the places. */
export interface PublishedError {
  readonly code: ErrorCode | JobFailureCode | JobWarningCode;
  readonly reason: Reason;
  readonly text: string;
  readonly readBy: ${[...new Set(errors.map(({ readBy }) => `'${readBy}'`))].join(' | ')};
  readonly values: readonly string[];
  readonly where: readonly (${Object.keys(PLACES)
    .map((place) => `'${place}'`)
    .join(' | ')})[];
}
`;
}
