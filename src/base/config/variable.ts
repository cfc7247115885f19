import { readFileSync, statSync } from 'node:fs';
import { codesOf } from '../errors.js';

/** Largest file of settings, in bytes. */
export const MAX_SETTINGS_BYTES = 64 * 1024 * 1024;
/** Largest file of a secret, in bytes. */
const MAX_SECRET_BYTES = 64 * 1024;

/**
 * Judges a file that a variable names before it is read: a FIFO would never end, and a wrong file may be larger than
 * the memory.
 *
 * @throws {Error} it is unreadable, not a regular file, or larger than `maxBytes`; the message does not repeat the path
 *   in the latter cases
 */
export function requireBoundedFile(path: string, maxBytes: number): void {
  const stats = statSync(path);
  if (!stats.isFile()) throw unfitFile('ENOTFILE', 'it is not a regular file');
  if (stats.size > maxBytes) {
    throw unfitFile('EFBIG', `it has ${stats.size} bytes, more than the ${maxBytes} that such a file may have`);
  }
}

function unfitFile(code: string, text: string): Error {
  return Object.assign(new Error(text), { code });
}

export interface VariableContext {
  readonly name: string;
  readonly production: boolean;
  /** Records a fault; reading continues, so that all faults are reported together. */
  readonly fault: (text: string) => void;
}

/** Environment variable: place in the configuration, meaning, defaults and parser. */
export interface Variable<T, At = string | undefined> {
  /** Undefined: the value is combined with those of other variables. */
  readonly at: At;
  /** For `deploy/configuration.md`. */
  readonly meaning: string;
  /** Default in development, for `deploy/configuration.md`. */
  readonly development: string;
  /** Default in production, if different. */
  readonly production?: string;
  /** True if the text may also stand in a file. */
  readonly secret?: true;
  /** @param text trimmed; undefined if unset or blank */
  readonly read: (text: string | undefined, context: VariableContext) => T;
}

type ByMode<T> = Readonly<Record<'development' | 'production', T>>;

/** Reads a whole number, by default above 0. */
export function integer<const P extends string | undefined>(
  at: P,
  fallback: number | ByMode<number>,
  meaning: string,
  range: { readonly min: number; readonly max?: number } = { min: 1 },
): Variable<number, P> {
  return defaulted(at, fallback, meaning, (text, { name, fault }) => {
    const { min, max = Number.MAX_SAFE_INTEGER } = range;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const expected = range.max === undefined ? `${min} or more` : `from ${min} to ${max}`;
    fault(`${name} must be a whole number, ${expected}, and is ${shownValue(text)}.`);
    return undefined;
  });
}

/** Reads whole seconds as milliseconds. */
export function seconds<const P extends string | undefined>(
  ...given: Parameters<typeof integer<P>>
): Variable<number, P> {
  const variable = integer(...given);
  return { ...variable, read: (text, context) => 1_000 * variable.read(text, context) };
}

export function choice<const T extends string, const P extends string | undefined>(
  at: P,
  choices: readonly T[],
  fallback: T | ByMode<T>,
  meaning: string,
): Variable<T, P> {
  return defaulted<T, P>(at, fallback, meaning, (text, { name, fault }) => {
    const found = choices.find((word) => word === text);
    if (found === undefined) fault(`${name} must be one of ${choices.join(', ')}, and is ${shownValue(text)}.`);
    return found;
  });
}

export function flag<const P extends string | undefined>(
  at: P,
  fallback: 'true' | 'false' | ByMode<'true' | 'false'>,
  meaning: string,
): Variable<boolean, P> {
  const variable = choice(at, ['true', 'false'], fallback, meaning);
  return { ...variable, read: (text, context) => variable.read(text, context) === 'true' };
}

/** Length in characters from which a text could be a key. */
const MIN_KEY_LENGTH = 16;

/** Returns a value as a fault may show it. A long one is not shown, because it may be a key under the wrong name. */
export function shownValue(text: string): string {
  return text.length < MIN_KEY_LENGTH ? `"${text}"` : `a text of ${text.length} characters`;
}

export function text<const P extends string | undefined>(
  at: P,
  fallback: string | ByMode<string>,
  meaning: string,
): Variable<string, P> {
  return defaulted(at, fallback, meaning, (given) => given);
}

/** Reads a text with the given parser; undefined if unset or invalid. @param defaults for `deploy/configuration.md` */
export function optional<T, const P extends string | undefined>(
  at: P,
  meaning: string,
  read: (text: string, context: VariableContext) => T | undefined,
  defaults: Partial<ByMode<string>> = {},
): Variable<T | undefined, P> {
  return {
    at,
    meaning,
    development: 'unset',
    ...defaults,
    read: (given, context) => (given === undefined ? undefined : read(given, context)),
  };
}

/** Reads a text that must be kept secret, as {@link optional}. */
export function secret<T, const P extends string | undefined>(...given: Parameters<typeof optional<T, P>>) {
  return { ...optional(...given), secret: true } as const;
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
    requireBoundedFile(path, MAX_SECRET_BYTES);
    const secret = readFileSync(path, 'utf8').trim();
    if (secret !== '') return secret;
    fault(`${name} names a file, which is empty.`);
  } catch (error) {
    const [code = 'unknown error'] = codesOf(error);
    // Without the path: the secret itself may have been given by mistake.
    fault(`${name} names a file that cannot be read (${code}).`);
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

function defaulted<T extends string | number, P extends string | undefined>(
  at: P,
  fallback: T | ByMode<T>,
  meaning: string,
  read: (text: string, context: VariableContext) => T | undefined,
): Variable<T, P> {
  const byMode = typeof fallback === 'object' ? fallback : { development: fallback, production: fallback };
  const shown = (value: T): string => (value === '' ? 'empty' : `\`${value}\``);
  return {
    at,
    meaning,
    development: shown(byMode.development),
    ...(byMode.development !== byMode.production && { production: shown(byMode.production) }),
    read: (given, context) => {
      const value = given === undefined ? undefined : read(given, context);
      return value ?? (context.production ? byMode.production : byMode.development);
    },
  };
}
