import type { VariableName } from './variables.js';

/** Variables by name, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment cannot be used; `faults` holds one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** Reads single variables and collects faults instead of throwing at the first. Empty counts as unset. */
export class EnvironmentReader {
  readonly faults: string[] = [];

  constructor(private readonly environment: Environment) {}

  text(name: VariableName): string | undefined {
    const value = this.environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: VariableName, fallback: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
    this.fault(`${name} must be a whole number, ${range}, and is "${text}".`);
    return fallback;
  }

  choice<const T extends string>(name: VariableName, choices: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = choices.find((choice) => choice === text);
    if (found === undefined) this.fault(`${name} must be one of ${choices.join(', ')}, and is "${text}".`);
    return found ?? fallback;
  }

  url(name: VariableName): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
      // The text may hold credentials, so it is not repeated.
      this.fault(`${name} must be an absolute http: or https: URL.`);
      return undefined;
    }
    if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
      this.fault(`${name} must be a URL without user name, password, query and fragment.`);
      return undefined;
    }
    return text.replace(/\/+$/, '');
  }

  /** A value that is sent as a header: visible ASCII (RFC 9110, section 5.5). */
  key(name: VariableName): string | undefined {
    const text = this.text(name);
    if (text !== undefined && !/^[!-~]+$/.test(text)) {
      this.fault(`${name} must hold visible ASCII characters only, because it is sent as a header.`);
    }
    return text;
  }

  list(name: VariableName): string[] | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : listOf(text);
  }

  fault(text: string): void {
    this.faults.push(text);
  }

  throwFaults(): void {
    if (this.faults.length > 0) throw new ConfigError(this.faults);
  }
}

/** Entries of a comma-separated list. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
