import { ServiceUnavailableError } from '../../base/errors.js';
import { jsonIn } from '../../base/wire/json-content.js';

/**
 * Format of the messages, of `jobs.db` and of the records under way that this version writes. It is raised by one when
 * a version that does not know the new format could do harm; a field that other versions may ignore does not raise it.
 * Every format up to the written one can be read, and data without a number has the first.
 */
export const FORMAT = 1;

/** Format of the records of ended jobs. Those in the first one, of 0.2.0, are read as well. */
export const ENDED_FORMAT = 2;

/** Remedy for data of 0.1.0. */
export const OVER_020 = 'Start 0.2.0 on it for some minutes, and then this version: deploy/day-two.md.';

/** Data was written by a newer version. It is left unchanged for a process that can read it. */
export class NewerFormatError extends ServiceUnavailableError {
  /** @param what the object, such as `The record` */
  constructor(what: string, format: number, known = FORMAT) {
    const text =
      `${what} has format ${format}, and this version knows formats up to ${known}: a newer version wrote it. ` +
      'It waits for one; finish the update, or go back to the newer version.';
    super('job store', text);
  }
}

/** Requires a format that this version can read; none was stored if undefined. @throws {NewerFormatError} */
export function requireKnownFormat(what: string, format: number | undefined, known = FORMAT): void {
  if (format !== undefined && format > known) throw new NewerFormatError(what, format, known);
}

/** Stored data cannot be parsed; the message names the field. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** Fields of stored data. A required field that is missing, and any field of another type, is damage. */
export class StoredFields {
  readonly #what: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #inside: string;
  readonly #isFlat: boolean;

  /**
   * @param what the data, such as `job record`
   * @param options.inside names of the fields that lead to it, each with a full stop
   * @param options.isFlat true if engines store it flat, as in a Redis hash: numbers as decimal text, objects as JSON
   * @throws {DamagedError} when it is no object
   */
  constructor(what: string, stored: unknown, { inside = '', isFlat = false } = {}) {
    this.#what = what;
    this.#inside = inside;
    this.#isFlat = isFlat;
    if (!isObject(stored)) throw new DamagedError(`A stored ${what} is damaged: it is no object.`);
    this.#fields = stored;
  }

  /** Returns true if any of these fields is present. */
  has(...names: readonly string[]): boolean {
    return names.some((name) => this.#fields[name] !== undefined);
  }

  /** Returns the value of a field, which may have any type; undefined if missing. */
  value(name: string): unknown {
    return this.#fields[name];
  }

  /** Returns the fields of an object in a field, which is JSON text in flat data. */
  object(name: string): StoredFields {
    const value = this.#fields[name];
    const object = this.#isFlat && typeof value === 'string' ? jsonIn(value) : value;
    if (!isObject(object)) return this.damaged(name, 'is no object');
    return new StoredFields(this.#what, object, { inside: `${this.#inside}${name}.` });
  }

  text(name: string): string {
    const value = this.#fields[name];
    return typeof value === 'string' ? value : this.damaged(name, 'is not text');
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  /** Returns a whole number from 0, which may be decimal text in flat data. */
  whole(name: string): number {
    const value = this.#fields[name];
    const number = this.#isFlat && typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    return isWhole(number) ? number : this.damaged(name, 'is not a whole number');
  }

  optionalWhole(name: string): number | undefined {
    return this.has(name) ? this.whole(name) : undefined;
  }

  /** Returns the list in JSON text. @param entries what it holds, such as `whole numbers` */
  list<T>(name: string, isEntry: (value: unknown) => value is T, entries: string): readonly T[] {
    const list = jsonIn(this.text(name));
    return Array.isArray(list) && list.every(isEntry) ? list : this.damaged(name, `is no list of ${entries}`);
  }

  /** @throws {DamagedError} always */
  damaged(name: string, fault: string): never {
    const found = this.has(name) ? fault : 'is missing';
    throw new DamagedError(`A stored ${this.#what} is damaged: field ${this.#inside}${name} ${found}.`);
  }
}

export function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns true for an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Object without its undefined properties. */
type Present<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Leaves out undefined properties. */
export function present<T extends object>(values: T): Present<T> {
  const found: Partial<T> = {};
  for (const name in values) if (values[name] !== undefined) found[name] = values[name];
  return found as Present<T>; // no property was undefined
}
