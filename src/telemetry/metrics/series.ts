/** Values of the labels of a metric, by their names. */
export type Labels<Label extends string> = Readonly<Partial<Record<Label, string | number>>>;

/** What is counted of one combination of labels. */
interface Entry<Label extends string, Tally> {
  /** Undefined where the metric has none. */
  readonly labels: Labels<Label> | undefined;
  readonly tally: Tally;
}

/** Where the values of the labels so far lead to. */
interface Branch<Label extends string, Tally> {
  readonly next: Map<string | number | undefined, Branch<Label, Tally>>;
  entry: Entry<Label, Tally> | undefined;
}

/**
 * The series of a metric, found by the values of their labels one after another. prom-client finds them by a text that
 * it makes of all labels each time, which takes longer than all there is to count.
 */
export class Series<Label extends string, Tally> {
  readonly #names: readonly Label[];
  readonly #create: () => Tally;
  readonly #root = newBranch<Label, Tally>();
  readonly #entries: Entry<Label, Tally>[] = [];

  /**
   * @param names of the labels
   * @param create what a series begins with
   */
  constructor(names: readonly Label[], create: () => Tally) {
    this.#names = names;
    this.#create = create;
  }

  /** What is counted of these labels; it comes into being when it is asked for first. */
  of(labels: Labels<Label> | undefined): Tally {
    let branch = this.#root;
    for (const name of this.#names) {
      const value = labels?.[name];
      let next = branch.next.get(value);
      if (next === undefined) branch.next.set(value, (next = newBranch()));
      branch = next;
    }
    branch.entry ??= this.#added(labels);
    return branch.entry.tally;
  }

  /** All of them, in the order in which they came into being. */
  get entries(): readonly Entry<Label, Tally>[] {
    return this.#entries;
  }

  #added(labels: Labels<Label> | undefined): Entry<Label, Tally> {
    const entry = { labels: labels && { ...labels }, tally: this.#create() };
    this.#entries.push(entry);
    return entry;
  }
}

function newBranch<Label extends string, Tally>(): Branch<Label, Tally> {
  return { next: new Map(), entry: undefined };
}
