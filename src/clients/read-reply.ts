import type { ValidateFunction } from 'ajv';
import { ContractBreach } from './call-errors.js';

/**
 * Reads the body of a successful reply.
 *
 * @param text as it came; undefined when it is empty
 * @param backend who sent it, for the error
 * @throws {ContractBreach} it is not as the backend's OpenAPI file says
 */
export type Reading<T> = (text: unknown, backend: string) => T;

/** A reply that is right as a whole or not at all. */
export function whole<T>(validate: ValidateFunction<T>): Reading<T> {
  return (text, backend) => {
    const body = parse(text, backend);
    if (!validate(body)) throw breachOf(validate, backend);
    return body;
  };
}

/** A reply without a body. With one it is no proof that anything was done. */
export const empty: Reading<undefined> = (text, backend) => {
  if (text !== undefined && text !== '') throw new ContractBreach(backend, 'a body where there is none');
  return undefined;
};

/** A reply whose body does not matter. */
export const unread: Reading<undefined> = () => undefined;

/** A list with errors in the places of entries that break the contract. */
export type Listed<List, Key extends keyof List, Entry> = Omit<List, Key> & {
  readonly [Name in Key]: readonly (Entry | ContractBreach)[];
};

/**
 * A reply with a list, an odd entry of which costs that entry alone.
 *
 * @param key where the list stands
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
    // As a rule nothing is odd, and then once over it is enough.
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

function breachOf(validate: ValidateFunction, backend: string): ContractBreach {
  const [fault] = validate.errors ?? [];
  return new ContractBreach(backend, fault?.message ?? 'is wrong', fault?.instancePath);
}

function parse(text: unknown, backend: string): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw new ContractBreach(backend, 'no JSON');
  }
}
