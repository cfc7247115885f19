import { Histogram, type HistogramConfiguration } from 'prom-client';
import { Series, type Labels } from './series.js';

/** What was observed of one series. */
interface Tally {
  /** How often, by the upper bound that it stayed within; the last one is of what went beyond all of them. */
  readonly counts: number[];
  sum: number;
}

/** A line of a histogram as prom-client writes it. */
interface Line<Label extends string> {
  readonly metricName: string;
  readonly labels: { readonly le?: string | number };
  readonly sharedLabels: Labels<Label> | undefined;
  readonly value: number;
}

/** Sorts observations, and shows prom-client how many there were when somebody scrapes. */
export class Observed<Label extends string> {
  readonly metric: Histogram<Label>;
  readonly #name: string;
  readonly #bounds: readonly number[];
  readonly #series: Series<Label, Tally>;

  constructor({ labelNames = [], ...settings }: HistogramConfiguration<Label> & { readonly buckets: number[] }) {
    const { name, buckets: bounds } = settings;
    this.#name = name;
    this.#bounds = bounds;
    this.#series = new Series(labelNames, () => ({ counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }));
    this.metric = shownAs({ ...settings, labelNames }, () => this.#lines());
    // Without labels there is nothing to wait for.
    if (labelNames.length === 0) this.#series.of(undefined);
  }

  observe(value: number, labels?: Labels<Label>): void {
    const tally = this.#series.of(labels);
    let at = 0;
    for (const bound of this.#bounds) {
      if (value <= bound) break;
      at += 1;
    }
    tally.counts[at] = (tally.counts[at] ?? 0) + 1;
    tally.sum += value;
  }

  #lines(): readonly Line<Label>[] {
    return this.#series.entries.flatMap(({ labels: sharedLabels, tally: { counts, sum } }) => {
      let value = 0;
      const buckets = counts.map((count, at): Line<Label> => {
        value += count;
        const le = this.#bounds[at] ?? '+Inf';
        return { metricName: `${this.#name}_bucket`, labels: { le }, sharedLabels, value };
      });
      return [
        ...buckets,
        { metricName: `${this.#name}_sum`, labels: {}, sharedLabels, value: sum },
        { metricName: `${this.#name}_count`, labels: {}, sharedLabels, value },
      ];
    });
  }
}

/** A histogram of prom-client with other lines: its registry asks each metric for them by this method. */
function shownAs<Label extends string>(
  settings: HistogramConfiguration<Label>,
  lines: () => readonly Line<Label>[],
): Histogram<Label> {
  const histogram = new Histogram<Label>(settings);
  const frame = histogram.get();
  return Object.assign(histogram, { getForPromString: async () => ({ ...(await frame), values: lines() }) });
}
