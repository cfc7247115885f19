import { Counter, type CounterConfiguration } from 'prom-client';
import { Series, type Labels } from './series.js';

/** Counts, and tells prom-client the sums when somebody scrapes. */
export class Counted<Label extends string> {
  readonly metric: Counter<Label>;
  readonly #series: Series<Label, { sum: number }>;

  constructor(settings: CounterConfiguration<Label>) {
    this.metric = new Counter(settings);
    this.#series = new Series(settings.labelNames ?? [], () => ({ sum: 0 }));
    // Without labels there is nothing to wait for.
    if (settings.labelNames?.length === 0) this.add(0);
  }

  /** One more. */
  count(labels: Labels<Label>): void {
    this.#series.of(labels).sum += 1;
  }

  /** So many more; 0 shows the series from now on. */
  add(more: number, labels?: Labels<Label>): void {
    this.#series.of(labels).sum += more;
  }

  /** Takes over what is counted elsewhere. */
  set(sum: number, labels?: Labels<Label>): void {
    this.#series.of(labels).sum = sum;
  }

  /** Brings the metric up to date. */
  show(): void {
    this.metric.reset();
    for (const { labels, tally } of this.#series.entries) {
      if (labels === undefined) this.metric.inc(tally.sum);
      else this.metric.inc(labels, tally.sum);
    }
  }
}
