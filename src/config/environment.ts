import { findDoubts } from './doubts.js';
import type { Reading } from './variable.js';
import { VARIABLES, type Values, type VariableName } from './variables.js';

/** Programs configured here. */
export type Program = 'gateway' | 'queue-function' | 'jobs';

/** Environment variables by name. */
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
export interface Reader {
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
  /** Returns true if the program uses a variable. */
  readonly uses: (name: VariableName) => boolean;
}

/**
 * Reads each variable independently. An empty or blank value counts as unset.
 *
 * @param uses returns true for a variable that the program uses; the others count as unset
 */
export function readEnvironment(environment: Environment, program: Program, uses: Reader['uses']): Reader {
  const faults: string[] = [];
  const textOf = (name: VariableName): string | undefined => (uses(name) && environment[name]?.trim()) || undefined;
  const readAs = (name: VariableName, production: boolean): unknown => {
    const reading: Reading = { name, production, fault: (text) => void faults.push(text) };
    return VARIABLES[name].read(textOf(name), reading);
  };
  const production = textOf('NODE_ENV') === 'production';
  const names = Object.keys(VARIABLES) as VariableName[]; // keys of a literal
  const values = Object.fromEntries(names.map((name) => [name, readAs(name, production)]));
  const doubts = findDoubts(environment, names);
  return {
    production,
    gatewayInProduction: production && program === 'gateway',
    program,
    values: values as unknown as Values, // built from the same table, which the type of fromEntries loses
    faults,
    fault: (text) => void faults.push(text),
    doubts,
    doubt: (text) => void doubts.push(text),
    isSet: (name) => textOf(name) !== undefined,
    uses,
  };
}
