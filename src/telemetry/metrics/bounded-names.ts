/** Stands for every name that is not counted by itself. */
export const OTHER = 'other';

/**
 * Names that come from outside, as values of a label: whoever makes up ever new ones must not make the metrics grow.
 * Those that are known count by themselves, and of others as many as come first.
 */
export class BoundedNames {
  readonly #names: Set<string>;
  readonly #max: number;

  /**
   * @param known names that always count
   * @param maxOthers others that count
   */
  constructor(known: Iterable<string>, maxOthers: number) {
    this.#names = new Set(known);
    this.#max = this.#names.size + maxOthers;
  }

  /** The name itself, or what stands for it. */
  labelOf(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= this.#max) return OTHER;
    this.#names.add(name);
    return name;
  }
}
