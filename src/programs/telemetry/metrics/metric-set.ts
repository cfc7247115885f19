import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type LabelsOf, type MetricName, type NamesOf } from '../metric-table.js';

/** Metrics of one program, made by prom-client from the table of metrics. Each is created at its first use. */
export class MetricSet {
  readonly #registry = new Registry();
  readonly #readers: (() => Promise<void> | void)[] = [];

  /** Creates a counter. @param known labels shown from the start as 0: Prometheus sees no increase in a first value */
  counter<Name extends NamesOf<'counter'>>(
    name: Name,
    known: readonly Partial<Record<LabelsOf<Name>, string>>[] = [],
  ): Counter<LabelsOf<Name>> {
    const counter = new Counter<LabelsOf<Name>>(this.#settingsOf(name));
    for (const labels of known) counter.inc(labels, 0);
    return counter;
  }

  gauge<Name extends NamesOf<'gauge'>>(name: Name): Gauge<LabelsOf<Name>> {
    return new Gauge<LabelsOf<Name>>(this.#settingsOf(name));
  }

  histogram<Name extends NamesOf<'histogram'>>(
    name: Name,
    known: readonly Partial<Record<LabelsOf<Name>, string>>[] = [],
  ): Histogram<LabelsOf<Name>> {
    const buckets = [...METRICS[name].buckets];
    const histogram = new Histogram<LabelsOf<Name>>({ ...this.#settingsOf(name), buckets });
    for (const labels of known) histogram.zero(labels);
    return histogram;
  }

  /** Calls a function at each scrape, which must neither throw nor take long. */
  readAtScrape(read: () => Promise<void> | void): void {
    this.#readers.push(read);
  }

  /** Writes all metrics in the text format of Prometheus. */
  async exposition(): Promise<{ readonly contentType: string; readonly text: string }> {
    await Promise.all(this.#readers.map(async (read) => read()));
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #settingsOf<Name extends MetricName>(
    name: Name,
  ): { name: Name; help: string; labelNames: LabelsOf<Name>[]; registers: Registry[] } {
    const { help, labels } = METRICS[name];
    const labelNames = [...labels] as LabelsOf<Name>[]; // by the same table
    return { name, help, labelNames, registers: [this.#registry] };
  }
}
