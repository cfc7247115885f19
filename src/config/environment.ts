import type { Reading } from './variable.js';
import { VARIABLES, type Values, type VariableName } from './variables.js';

/** The programs that are configured here; only the gateway needs backends and an object store. */
export type Program = 'gateway' | 'queue-function' | 'jobs';

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment cannot be used; `faults` holds one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** Data at a configured place cannot be used; the message is one line. */
export class UnusableDataError extends ConfigError {
  constructor(fault: string) {
    super([fault]);
    this.message = fault;
  }
}

/** What was read of each variable, and what is wrong so far; for the rules that look at several together. */
export interface Reader {
  readonly production: boolean;
  /** In production, the gateway needs backends and an object store; the other programs do not. */
  readonly gatewayInProduction: boolean;
  readonly program: Program;
  readonly values: Values;
  readonly faults: readonly string[];
  readonly fault: (text: string) => void;
  /** Whether a variable has a text, usable or not. */
  readonly isSet: (name: VariableName) => boolean;
}

/** Reads every variable by itself. Empty and blank count as unset. */
export function readEnvironment(environment: Environment, program: Program): Reader {
  const faults: string[] = [];
  const textOf = (name: VariableName): string | undefined => environment[name]?.trim() || undefined;
  const readAs = (name: VariableName, production: boolean): unknown => {
    const reading: Reading = { name, production, fault: (text) => void faults.push(text) };
    return VARIABLES[name].read(textOf(name), reading);
  };
  const production = textOf('NODE_ENV') === 'production';
  const names = Object.keys(VARIABLES) as VariableName[]; // keys of a literal
  const values = Object.fromEntries(names.map((name) => [name, readAs(name, production)]));
  return {
    production,
    gatewayInProduction: production && program === 'gateway',
    program,
    values: values as unknown as Values, // by the same table, which fromEntries does not see
    faults,
    fault: (text) => void faults.push(text),
    isSet: (name) => textOf(name) !== undefined,
  };
}
