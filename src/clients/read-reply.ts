import type { ValidateFunction } from 'ajv';
import { jsonIn } from '../base/wire/json-content.js';
import { CallError, contractBreach, type BackendName } from './call-error.js';

/**
 * Reads the body of a successful reply; undefined if empty.
 *
 * @param onBreach called for a part that breaks the backend's OpenAPI file and is replaced
 * @throws {CallError} the reply as a whole breaks that file
 */
export type ReplyReader<T> = (text: string, backend: BackendName, onBreach?: OnBreach) => T;

export type OnBreach = (breach: CallError) => void;

/** Reads a reply that must be valid as a whole. */
export function whole<T>(validate: ValidateFunction<T>): ReplyReader<T> {
  return (text, backend) => {
    const body = parse(text, backend);
    if (!validate(body)) throw breachOf(validate, backend);
    return body;
  };
}

/** Reads a reply without a body. A body is a breach, because it could deny the success. */
export const empty: ReplyReader<undefined> = (text, backend) => {
  if (text !== '') throw contractBreach(backend, 'a body where there is none');
  return undefined;
};

export const ignoreBody: ReplyReader<undefined> = () => undefined;

type ListOf<Key extends string, Entry> = { readonly [Name in Key]: readonly Entry[] };

/** Entry of a list; an error or, after {@link MAX_ODD} of these, null in place of one that breaks the contract. */
export type EntryOrBreach<Entry> = Entry | CallError | null;

/** Reads a reply with a list. @param limit number of entries that were asked for; only the contract's without it */
export type ListReader<T> = (text: string, backend: BackendName, onBreach?: OnBreach, limit?: number) => T;

/** Number of invalid entries of a list with an error of their own. The last of these errors has the number of all. */
const MAX_ODD = 21;

/** Reads a reply with a list under `key`; an invalid entry affects only itself. */
export function listed<Key extends string, Entry, List extends ListOf<Key, Entry>>(
  key: Key,
  validate: ValidateFunction<List>,
  isEntry: ValidateFunction<Entry>,
): ListReader<Omit<List, Key> & ListOf<Key, EntryOrBreach<Entry>>> {
  return listReplacing(key, validate, isEntry, (_entry, breach) => breach);
}

/**
 * Reads a reply with a list, and replaces its invalid entries. A list that is too long breaks the contract as a whole,
 * before any entry is judged.
 *
 * @param replace makes the replacement from an entry of any shape; its error is null after {@link MAX_ODD} of them
 */
export function listReplacing<Key extends string, Entry, List extends ListOf<Key, Entry>, Replacement>(
  key: Key,
  validate: ValidateFunction<List>,
  isEntry: ValidateFunction<Entry>,
  replace: (entry: unknown, breach: CallError | null) => Replacement,
): ListReader<Omit<List, Key> & ListOf<Key, Entry | Replacement>> {
  return (text, backend, onBreach, limit = Infinity) => {
    const body = parse(text, backend);
    const list: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
    const entries: readonly unknown[] | undefined = Array.isArray(list) ? list : undefined;
    if (entries !== undefined && entries.length > limit) {
      throw contractBreach(backend, `must NOT have more than ${limit} items`, `/${key}`);
    }
    // Usually all entries are valid, and one pass is enough.
    if (validate(body)) return body;
    // The first fault decides: outside the entries, such as a list that is too long, it is one of the whole reply.
    const isOfEntry = validate.errors?.[0]?.instancePath.startsWith(`/${key}/`) === true;
    if (!isOfEntry || entries === undefined || typeof body !== 'object') throw breachOf(validate, backend);
    const soundOnes = entries.filter((entry) => isEntry(entry));
    const sound: unknown = { ...body, [key]: soundOnes };
    if (!validate(sound)) throw breachOf(validate, backend);
    let told = 0;
    const judged = entries.map((entry, index) => {
      if (isEntry(entry)) return entry;
      told += 1;
      const ofAll = told === MAX_ODD ? entries.length - soundOnes.length : undefined;
      const breach = told > MAX_ODD ? null : breachOf(isEntry, backend, `/${key}/${index}`, ofAll);
      if (breach !== null) onBreach?.(breach);
      return replace(entry, breach);
    });
    return { ...sound, [key]: judged };
  };
}

export function validEntries<Entry extends object>(entries: readonly EntryOrBreach<Entry>[]): readonly Entry[] {
  return entries.filter((entry): entry is Entry => entry !== null && !(entry instanceof CallError));
}

/** Returns the error for the first fault. @param place JSON pointer of the validated part */
function breachOf(validate: ValidateFunction, backend: BackendName, place = '', ofAll?: number): CallError {
  const [fault] = validate.errors ?? [];
  return contractBreach(backend, fault?.message ?? 'is wrong', `${place}${fault?.instancePath ?? ''}`, ofAll);
}

function parse(text: string, backend: BackendName): unknown {
  const body = jsonIn(text);
  if (body === undefined) throw contractBreach(backend, 'no JSON');
  return body;
}
