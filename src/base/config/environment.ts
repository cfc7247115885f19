import { readSecretFile } from './variable.js';
import type { Environment, Program, ValueAt } from './config.js';
import { VARIABLE_NAMES, VARIABLES, type VariableName } from './variables.js';
import { closestMatch } from 'leven';

type Variables = typeof VARIABLES;

/** Places in the configuration that hold the value of one variable. */
export type Placed = NonNullable<Variables[VariableName]['at']>;

/** Values and faults so far, for the rules that combine several variables. */
export interface EnvironmentReader {
  readonly production: boolean;
  /** In production, only the gateway needs backends and an object store. */
  readonly gatewayInProduction: boolean;
  readonly program: Program;
  /** Values that have a place of their own. */
  readonly placed: { readonly [At in Placed]: ValueAt<At> };
  /** Values of the other variables. */
  readonly values: {
    readonly [Name in VariableName as Variables[Name]['at'] extends string ? never : Name]: ReturnType<
      Variables[Name]['read']
    >;
  };
  readonly faults: readonly string[];
  readonly fault: (text: string) => void;
  readonly doubts: readonly string[];
  readonly doubt: (text: string) => void;
  /** Returns true if a variable has a text, valid or not. */
  readonly isSet: (name: VariableName) => boolean;
  readonly uses: (name: VariableName) => boolean;
}

const isSecret = (name: VariableName): boolean => 'secret' in VARIABLES[name];

const fileOf = (name: VariableName): string => `${name}_FILE`;

/**
 * Reads each variable independently. An empty or blank value counts as unset.
 *
 * @param uses returns true for a variable that the program uses; the others count as unset
 */
export function readEnvironment(
  environment: Environment,
  program: Program,
  uses: EnvironmentReader['uses'],
): EnvironmentReader {
  const faults: string[] = [];
  const fault = (text: string): void => void faults.push(text);
  const given = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const fromFiles = new Map(
    VARIABLE_NAMES.filter((name) => isSecret(name) && uses(name)).flatMap((name) => {
      const file = given(fileOf(name));
      if (file === undefined) return [];
      if (given(name) !== undefined) fault(`${name} and ${fileOf(name)} are both set; leave one out.`);
      const secret = readSecretFile(file, { name: fileOf(name), fault });
      return secret === undefined ? [] : [[name, secret] as const];
    }),
  );
  const textOf = (name: VariableName): string | undefined =>
    uses(name) ? (fromFiles.get(name) ?? given(name)) : undefined;
  const production = textOf('NODE_ENV') === 'production';
  const read = VARIABLE_NAMES.map((name) => {
    const variable = VARIABLES[name];
    return [variable.at ?? name, variable.read(textOf(name), { name, production, fault })] as const;
  });
  const values: unknown = Object.fromEntries(read);
  const doubts = findDoubts(environment, [...VARIABLE_NAMES, ...VARIABLE_NAMES.filter(isSecret).map(fileOf)]);
  return {
    production,
    gatewayInProduction: production && program === 'gateway',
    program,
    // Made from the same table, which the type of fromEntries loses.
    placed: values as EnvironmentReader['placed'],
    values: values as EnvironmentReader['values'],
    faults,
    fault,
    doubts,
    doubt: (text) => void doubts.push(text),
    isSet: (name) => textOf(name) !== undefined,
    uses,
  };
}

/** Length from which names are compared; many shorter names of other programs are similar to ours. */
const MIN_NAME = 7;

/** Largest number of characters omitted, added or changed in a misspelt name. */
const MAX_EDIT_DISTANCE = 2;

const QUOTED = /^(["']).*\1$/s;

/**
 * Finds settings that are valid but probably unintended.
 *
 * @param known names of our variables
 * @returns one line per doubt, without values
 */
function findDoubts(environment: Readonly<Record<string, string | undefined>>, known: readonly string[]): string[] {
  const names = Object.keys(environment).filter((name) => environment[name]?.trim());
  const quoted = names
    .filter((name) => known.includes(name) && QUOTED.test(environment[name]?.trim() ?? ''))
    .map((name) => `${name} stands in quotes, which are part of its value. Remove them, unless they are meant.`);
  const misspelt = names
    .filter((name) => name.length >= MIN_NAME && !known.includes(name))
    .flatMap((name) => {
      const meant = closestMatch(name.toUpperCase(), known, { maxDistance: MAX_EDIT_DISTANCE });
      return meant === undefined ? [] : [`${name} is not read. Did you mean ${meant}?`];
    });
  const unsafe =
    environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? [
          `NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates are not checked. Trust yours with NODE_EXTRA_CA_CERTS instead.`,
        ]
      : [];
  return [...quoted, ...misspelt, ...unsafe];
}
