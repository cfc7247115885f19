import { readFileSync } from 'node:fs';
import { codesOf } from '../errors.js';

export interface VariableContext {
  readonly name: string;
  readonly production: boolean;
  /** Records a fault; reading continues, so that all faults are reported together. */
  readonly fault: (text: string) => void;
}

/** Environment variable: meaning, defaults and parser. */
export interface Variable<T> {
  /** For `deploy/configuration.md`. */
  readonly meaning: string;
  /** Default in development, for `deploy/configuration.md`. */
  readonly development: string;
  /** Default in production, if different. */
  readonly production?: string;
  /** @param text trimmed; undefined if unset or blank */
  readonly read: (text: string | undefined, context: VariableContext) => T;
}

type ByMode<T> = Readonly<Record<'development' | 'production', T>>;

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** Reads a whole number. */
export function integer(fallback: number | ByMode<number>, range: Range, meaning: string): Variable<number> {
  return defaulted(fallback, meaning, (text, { name, fault }) => {
    const { min, max = Number.MAX_SAFE_INTEGER } = range;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const expected = range.max === undefined ? `${min} or more` : `from ${min} to ${max}`;
    fault(`${name} must be a whole number, ${expected}, and is ${shownValue(text)}.`);
    return undefined;
  });
}

/** Variable of a limit, with the name of the limit in `limits` of the configuration. */
export interface Limit<Name extends string> extends Variable<number> {
  readonly limit: Name;
}

/** Reads a limit, which is a whole number. */
export function limit<const Name extends string>(
  name: Name,
  fallback: number,
  range: Range,
  meaning: string,
): Limit<Name> {
  return { ...integer(fallback, range, meaning), limit: name };
}

/** Reads whole seconds as milliseconds. */
export function seconds(fallback: number | ByMode<number>, range: Range, meaning: string): Variable<number> {
  const variable = integer(fallback, range, meaning);
  return { ...variable, read: (text, context) => 1_000 * variable.read(text, context) };
}

/** Reads one of a few words. */
export function choice<const T extends string>(
  choices: readonly T[],
  fallback: T | ByMode<T>,
  meaning: string,
): Variable<T> {
  return defaulted<T>(fallback, meaning, (text, { name, fault }) => {
    const found = choices.find((word) => word === text);
    if (found === undefined) fault(`${name} must be one of ${choices.join(', ')}, and is ${shownValue(text)}.`);
    return found;
  });
}

/** Reads `true` or `false`. */
export function flag(fallback: 'true' | 'false' | ByMode<'true' | 'false'>, meaning: string): Variable<boolean> {
  const variable = choice(['true', 'false'], fallback, meaning);
  return { ...variable, read: (text, context) => variable.read(text, context) === 'true' };
}

/** Length in characters from which a text could be a key. */
const MIN_KEY_LENGTH = 16;

/** Returns a value as a fault may show it. A long one is not shown, because it may be a key under the wrong name. */
export function shownValue(text: string): string {
  return text.length < MIN_KEY_LENGTH ? `"${text}"` : `a text of ${text.length} characters`;
}

/** Reads any text, with a default. */
export function text(fallback: string | ByMode<string>, meaning: string): Variable<string> {
  return defaulted(fallback, meaning, (given) => given);
}

/** Reads a text with the given parser; undefined if unset or invalid. @param defaults for `deploy/configuration.md` */
export function optional<T>(
  meaning: string,
  read: (text: string, context: VariableContext) => T | undefined,
  defaults: Partial<ByMode<string>> = {},
): Variable<T | undefined> {
  return {
    meaning,
    development: 'unset',
    ...defaults,
    read: (given, context) => (given === undefined ? undefined : read(given, context)),
  };
}

/** Reads an absolute `http:` or `https:` URL without parts that must not be logged; removes trailing slashes. */
export function readUrl(given: string, { name, fault }: Omit<VariableContext, 'production'>): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    // The text may hold credentials, so the fault does not show it.
    fault(`${name} must be an absolute http: or https: URL.`);
    return undefined;
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    fault(`${name} must be a URL without user name, password, query and fragment.`);
    return undefined;
  }
  return given.replace(/\/+$/, '');
}

/** Reads the value of a header: visible ASCII (RFC 9110, section 5.5). */
export function readKey(given: string, { name, fault }: VariableContext): string {
  if (!/^[!-~]+$/.test(given)) {
    fault(`${name} must hold visible ASCII characters only, because it is sent as a header.`);
  }
  return given;
}

/**
 * Reads a secret from a file, as container platforms provide them, without surrounding white space.
 *
 * @returns undefined, with a fault, if the file is unreadable or empty
 */
export function readSecretFile(path: string, { name, fault }: Omit<VariableContext, 'production'>): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret !== '') return secret;
    fault(`${name} names ${path}, which is empty.`);
  } catch (error) {
    const [code = 'unknown error'] = codesOf(error);
    fault(`${name} names ${path}, which cannot be read (${code}).`);
  }
  return undefined;
}

/** Splits a comma-separated list; drops empty entries. */
export function listOf(given: string): string[] {
  return given
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function defaulted<T extends string | number>(
  fallback: T | ByMode<T>,
  meaning: string,
  read: (text: string, context: VariableContext) => T | undefined,
): Variable<T> {
  const byMode = typeof fallback === 'object' ? fallback : { development: fallback, production: fallback };
  const shown = (value: T): string => (value === '' ? 'empty' : `\`${value}\``);
  return {
    meaning,
    development: shown(byMode.development),
    ...(byMode.development !== byMode.production && { production: shown(byMode.production) }),
    read: (given, context) => {
      const value = given === undefined ? undefined : read(given, context);
      return value ?? (context.production ? byMode.production : byMode.development);
    },
  };
}
