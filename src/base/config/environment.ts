import { findDoubts } from './doubts.js';
import { readSecretFile } from './variable.js';
import { VARIABLES, type Values, type VariableName } from './variables.js';

export type Program = 'gateway' | 'queue-function' | 'jobs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Error for an unusable environment: the faults, and doubts that may explain them, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly faults: readonly string[],
    readonly doubts: readonly string[] = [],
  ) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** Error for unusable data where the configuration says; the message is one line. */
export class UnusableDataError extends ConfigError {
  constructor(fault: string) {
    super([fault]);
    this.message = fault;
  }
}

/** Values and faults so far, for the rules that combine several variables. */
export interface EnvironmentReader {
  readonly production: boolean;
  /** In production, only the gateway needs backends and an object store. */
  readonly gatewayInProduction: boolean;
  readonly program: Program;
  readonly values: Values;
  readonly faults: readonly string[];
  readonly fault: (text: string) => void;
  /** Settings that are valid but probably unintended, one line each. */
  readonly doubts: readonly string[];
  readonly doubt: (text: string) => void;
  /** Returns true if a variable has a text, valid or not. */
  readonly isSet: (name: VariableName) => boolean;
  readonly uses: (name: VariableName) => boolean;
}

/** Variables with secrets, each of which may be the text of a file, named by the variable with `_FILE` at its end. */
const SECRETS: readonly VariableName[] = [
  'BACKEND_API_KEY',
  'GEO_API_KEY',
  'VOIP_API_KEY',
  'TASK_CALLBACK_API_KEY',
  'TASK_CALLBACK_API_KEY_PREVIOUS',
  'CALLBACK_SIGNING_SECRET',
  'JOB_ENCRYPTION_KEY',
  'REDIS_URL',
];

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
    SECRETS.filter(uses).flatMap((name) => {
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
  const names = Object.keys(VARIABLES) as VariableName[]; // keys of a literal
  const read = (name: VariableName): unknown => VARIABLES[name].read(textOf(name), { name, production, fault });
  const values = Object.fromEntries(names.map((name) => [name, read(name)]));
  const doubts = findDoubts(environment, [...names, ...SECRETS.map(fileOf)]);
  return {
    production,
    gatewayInProduction: production && program === 'gateway',
    program,
    values: values as unknown as Values, // built from the same table, which the type of fromEntries loses
    faults,
    fault,
    doubts,
    doubt: (text) => void doubts.push(text),
    isSet: (name) => textOf(name) !== undefined,
    uses,
  };
}
