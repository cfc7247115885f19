import type { ValidateFunction } from 'ajv';
import { ContractBreach, type BackendName } from './call-errors.js';

/**
 * Reads the body of a successful reply.
 *
 * @param text raw body; undefined if empty
 * @param backend its sender, for the error
 * @param onBreach called for a part that breaks the backend's OpenAPI file and is replaced
 * @throws {ContractBreach} the reply as a whole breaks that file
 */
export type Reading<T> = (text: unknown, backend: BackendName, onBreach?: OnBreach) => T;

/** Receives the breach of a part of a reply. */
export type OnBreach = (breach: ContractBreach) => void;

/** Reads a reply that must be valid as a whole. */
export function whole<T>(validate: ValidateFunction<T>): Reading<T> {
  return (text, backend) => {
    const body = parse(text, backend);
    if (!validate(body)) throw breachOf(validate, backend);
    return body;
  };
}

/** Reads a reply without a body. A body is a breach, because it could deny the success. */
export const empty: Reading<undefined> = (text, backend) => {
  if (text !== undefined && text !== '') throw new ContractBreach(backend, 'a body where there is none');
  return undefined;
};

/** Ignores the body of a reply. */
export const unread: Reading<undefined> = () => undefined;

type ListOf<Key extends string, Entry> = { readonly [Name in Key]: readonly Entry[] };

/** List with errors in place of entries that break the contract. */
export type Listed<List, Key extends string, Entry> = Omit<List, Key> & ListOf<Key, Entry | ContractBreach>;

/**
 * Reads a reply with a list; an invalid entry affects only itself.
 *
 * @param key name of the list
 * @param validate the whole reply
 * @param isEntry one entry
 */
export function listed<Key extends string, Entry, List extends ListOf<Key, Entry>>(
  key: Key,
  validate: ValidateFunction<List>,
  isEntry: ValidateFunction<Entry>,
): Reading<Listed<List, Key, Entry>> {
  return mended(key, validate, isEntry, (_entry, breach) => breach);
}

/**
 * Reads a reply with a list, and replaces its invalid entries.
 *
 * @param mend makes the replacement from an entry of any shape
 */
export function mended<Key extends string, Entry, List extends ListOf<Key, Entry>, Mended>(
  key: Key,
  validate: ValidateFunction<List>,
  isEntry: ValidateFunction<Entry>,
  mend: (entry: unknown, breach: ContractBreach) => Mended,
): Reading<Omit<List, Key> & ListOf<Key, Entry | Mended>> {
  return (text, backend, onBreach) => {
    const body = parse(text, backend);
    // Usually all entries are valid, and one pass is enough.
    if (validate(body)) return body;
    const breach = breachOf(validate, backend);
    if (typeof body !== 'object' || body === null) throw breach;
    const entries: unknown = Reflect.get(body, key);
    if (!Array.isArray(entries)) throw breach;
    const sound: unknown = { ...body, [key]: entries.filter((entry) => isEntry(entry)) };
    if (!validate(sound)) throw breachOf(validate, backend);
    const judged = entries.map((entry: unknown, index) => {
      if (isEntry(entry)) return entry;
      const entryBreach = breachOf(isEntry, backend, `/${key}/${index}`);
      onBreach?.(entryBreach);
      return mend(entry, entryBreach);
    });
    return { ...sound, [key]: judged };
  };
}

/** Returns the entries of a list that could be read. */
export function soundOnly<Entry>(entries: readonly (Entry | ContractBreach)[]): readonly Entry[] {
  return entries.filter((entry): entry is Entry => !(entry instanceof ContractBreach));
}

/** Returns the error for the first fault. @param place JSON pointer of the validated part */
function breachOf(validate: ValidateFunction, backend: BackendName, place = ''): ContractBreach {
  const [fault] = validate.errors ?? [];
  return new ContractBreach(backend, fault?.message ?? 'is wrong', `${place}${fault?.instancePath ?? ''}`);
}

function parse(text: unknown, backend: BackendName): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new ContractBreach(backend, 'no JSON');
  }
}
