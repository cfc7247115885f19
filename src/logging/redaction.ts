import { types } from 'node:util';

/** Names under which secrets could appear in a log entry by mistake. */
const SECRET_NAMES = [
  'authorization',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'otp',
  'challenge',
  'apiKey',
  'x-api-key',
  'cookie',
];

const SECRET_KEYS: ReadonlySet<string> = new Set(SECRET_NAMES);

const CENSOR = '[redacted]';

/** Serializers for pino that censor secret top-level fields without a search. */
export const CENSORED = Object.fromEntries(SECRET_NAMES.map((name) => [name, () => CENSOR]));

/** Levels of nesting searched for secrets. */
const SEARCHED_LEVELS = 4;

/**
 * Removes secrets nested in the fields of an entry; copies only if there are any. Secret top-level fields are left to
 * {@link CENSORED}.
 */
export function redacted(fields: object): object {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const entry: unknown = fields[name as keyof typeof fields];
    const shown = searched(entry, 1);
    if (shown === entry) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

/** Searches a value for secrets; skips errors, of which only the named parts are written. */
function searched(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level === SEARCHED_LEVELS || types.isNativeError(value)) return value;
  return Array.isArray(value) ? searchedList(value, level) : searchedFields(value, level);
}

function searchedList(list: readonly unknown[], level: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const shown = searched(list[index], level + 1);
    if (shown === list[index]) continue;
    copy ??= [...list];
    copy[index] = shown;
  }
  return copy ?? list;
}

function searchedFields(value: object, level: number): object {
  let copy: Record<string, unknown> | undefined;
  for (const name in value) {
    const entry: unknown = value[name as keyof typeof value];
    const shown = SECRET_KEYS.has(name) ? CENSOR : searched(entry, level + 1);
    if (shown === entry) continue;
    copy ??= { ...value };
    copy[name] = shown;
  }
  return copy ?? value;
}
