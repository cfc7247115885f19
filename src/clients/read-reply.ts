import type { ValidateFunction } from 'ajv';
import { ContractBreach, type BackendName } from './call-errors.js';

/**
 * Reads the body of a successful reply.
 *
 * @param text raw body; undefined if empty
 * @param backend its sender, for the error
 * @throws {ContractBreach} it does not match the backend's OpenAPI file
 */
export type Reading<T> = (text: unknown, backend: BackendName) => T;

/** Reads a reply that is valid as a whole or not at all. */
export function whole<T>(validate: ValidateFunction<T>): Reading<T> {
  return (text, backend) => {
    const body = parse(text, backend);
    if (!validate(body)) throw breachOf(validate, backend);
    return body;
  };
}

/** Reads a reply without a body. A body would mean that the success is not proven. */
export const empty: Reading<undefined> = (text, backend) => {
  if (text !== undefined && text !== '') throw new ContractBreach(backend, 'a body where there is none');
  return undefined;
};

/** Ignores the body of a reply. */
export const unread: Reading<undefined> = () => undefined;

/** List with errors in place of entries that break the contract. */
export type Listed<List, Key extends keyof List, Entry> = Omit<List, Key> & {
  readonly [Name in Key]: readonly (Entry | ContractBreach)[];
};

/**
 * Reads a reply with a list; an invalid entry affects only itself.
 *
 * @param key name of the list
 * @param validate the whole reply
 * @param isEntry one entry
 */
export function listed<Key extends string, Entry, List extends { readonly [Name in Key]: readonly Entry[] }>(
  key: Key,
  validate: ValidateFunction<List>,
  isEntry: ValidateFunction<Entry>,
): Reading<Listed<List, Key, Entry>> {
  return (text, backend) => {
    const body = parse(text, backend);
    // Usually all entries are valid, and one pass is enough.
    if (validate(body)) return body;
    const breach = breachOf(validate, backend);
    if (typeof body !== 'object' || body === null) throw breach;
    const entries: unknown = Reflect.get(body, key);
    if (!Array.isArray(entries)) throw breach;
    const judged = entries.map((entry: unknown) => (isEntry(entry) ? entry : breachOf(isEntry, backend)));
    const sound: unknown = { ...body, [key]: judged.filter((entry) => !(entry instanceof ContractBreach)) };
    if (!validate(sound)) throw breachOf(validate, backend);
    return { ...sound, [key]: judged };
  };
}

function breachOf(validate: ValidateFunction, backend: BackendName): ContractBreach {
  const [fault] = validate.errors ?? [];
  return new ContractBreach(backend, fault?.message ?? 'is wrong', fault?.instancePath);
}

function parse(text: unknown, backend: BackendName): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new ContractBreach(backend, 'no JSON');
  }
}
