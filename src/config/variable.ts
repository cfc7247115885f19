import { readFileSync } from 'node:fs';
import { codesOf } from '../errors.js';

/** What a variable is read with. */
export interface Reading {
  readonly name: string;
  readonly production: boolean;
  /** Notes what is wrong; reading goes on, so that every fault is reported at the same time. */
  readonly fault: (text: string) => void;
}

/** One environment variable: what it means, what it is without a value, and how its text is read. */
export interface Variable<T> {
  /** For `deploy/configuration.md`. */
  readonly meaning: string;
  /** Value in development when it is unset, for `deploy/configuration.md`. */
  readonly development: string;
  /** The same in production; absent where it is the same. */
  readonly production?: string;
  /** @param text trimmed; undefined when unset or blank */
  readonly read: (text: string | undefined, reading: Reading) => T;
}

/** The part that is prose. */
type Described = Pick<Variable<unknown>, 'meaning'> & Partial<Pick<Variable<unknown>, 'development' | 'production'>>;

/** A value that differs in production. */
interface ByMode<T> {
  readonly development: T;
  readonly production: T;
}

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** A whole number. */
export function integer(fallback: number | ByMode<number>, range: Range, described: Described): Variable<number> {
  return defaulted(fallback, described, (text, { name, fault }) => {
    const { min, max = Number.MAX_SAFE_INTEGER } = range;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const expected = range.max === undefined ? `${min} or more` : `from ${min} to ${max}`;
    fault(`${name} must be a whole number, ${expected}, and is ${shownValue(text)}.`);
    return undefined;
  });
}

/** Whole seconds, as milliseconds. */
export function seconds(fallback: number | ByMode<number>, range: Range, described: Described): Variable<number> {
  const variable = integer(fallback, range, described);
  return { ...variable, read: (text, reading) => 1_000 * variable.read(text, reading) };
}

/** One of a few words. */
export function choice<const T extends string>(
  choices: readonly T[],
  fallback: T | ByMode<T>,
  described: Described,
): Variable<T> {
  return defaulted<T>(fallback, described, (text, { name, fault }) => {
    const found = choices.find((word) => word === text);
    if (found === undefined) fault(`${name} must be one of ${choices.join(', ')}, and is ${shownValue(text)}.`);
    return found;
  });
}

/** `true` or `false`. */
export function flag(fallback: boolean | ByMode<boolean>, described: Described): Variable<boolean> {
  const word = (value: boolean): 'true' | 'false' => (value ? 'true' : 'false');
  const words =
    typeof fallback === 'boolean'
      ? word(fallback)
      : { development: word(fallback.development), production: word(fallback.production) };
  const variable = choice(['true', 'false'], words, described);
  return { ...variable, read: (text, reading) => variable.read(text, reading) === 'true' };
}

/** From here on, in characters, a text may be a key. */
const MIN_KEY_LENGTH = 16;

/** A value as a fault may repeat it: it may be a key that was set under the wrong name. */
export function shownValue(text: string): string {
  return text.length < MIN_KEY_LENGTH ? `"${text}"` : `a text of ${text.length} characters`;
}

/** Any text with a default. */
export function text(fallback: string | ByMode<string>, described: Described): Variable<string> {
  return defaulted(fallback, described, (given) => given);
}

/** A text that is read by a function of its own; undefined when it is unset or cannot be used. */
export function optional<T>(
  described: Described,
  read: (text: string, reading: Reading) => T | undefined,
): Variable<T | undefined> {
  return {
    development: 'unset',
    ...described,
    read: (given, reading) => (given === undefined ? undefined : read(given, reading)),
  };
}

/** An absolute `http:` or `https:` URL without what must not be logged, and without a slash at its end. */
export function readUrl(given: string, { name, fault }: Reading): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    // The text may hold credentials, so it is not repeated.
    fault(`${name} must be an absolute http: or https: URL.`);
    return undefined;
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    fault(`${name} must be a URL without user name, password, query and fragment.`);
    return undefined;
  }
  return given.replace(/\/+$/, '');
}

/** A value that is sent as a header: visible ASCII (RFC 9110, section 5.5). */
export function readKey(given: string, { name, fault }: Reading): string {
  if (!/^[!-~]+$/.test(given)) {
    fault(`${name} must hold visible ASCII characters only, because it is sent as a header.`);
  }
  return given;
}

/**
 * The secret in a file, as container platforms hand them out: all of its text but white space around it.
 *
 * @param path where it lies
 * @returns undefined when it cannot be read or holds nothing, which is noted as a fault
 */
export function readSecretFile(path: string, { name, fault }: Reading): string | undefined {
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

/** Entries of a comma-separated list. */
export function listOf(given: string): string[] {
  return given
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function defaulted<T extends string | number>(
  fallback: T | ByMode<T>,
  described: Described,
  read: (text: string, reading: Reading) => T | undefined,
): Variable<T> {
  const byMode = typeof fallback === 'object' ? fallback : { development: fallback, production: fallback };
  const shown = (value: T): string => (value === '' ? 'empty' : `\`${value}\``);
  return {
    development: shown(byMode.development),
    ...(byMode.development !== byMode.production && { production: shown(byMode.production) }),
    ...described,
    read: (given, reading) => {
      const value = given === undefined ? undefined : read(given, reading);
      return value ?? (reading.production ? byMode.production : byMode.development);
    },
  };
}
