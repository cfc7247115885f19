import { Counter, Gauge, Histogram, Registry, type OpenMetricsContentType } from 'prom-client';
import { METRICS, type LabelsOf, type MetricName, type NamesOf } from '../metric-table.js';

/** All metrics as text, in the format of Prometheus or in OpenMetrics. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of one program; each comes into being when it is asked for. */
export class MetricSet {
  readonly #registry = new Registry();
  /**
   * The same metrics once more. A registry of OpenMetrics takes `_total` off the names of counters for good, so it gets
   * views of them.
   */
  readonly #openMetrics = new Registry<OpenMetricsContentType>();
  readonly #readers: (() => Promise<void> | void)[] = [];

  constructor() {
    this.#openMetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  }

  /**
   * @param known combinations of labels that are shown from the beginning: of a series that comes into being with its
   *   first event nobody sees that event as an increase
   */
  counter<Name extends NamesOf<'counter'>>(
    name: Name,
    known: readonly Partial<Record<LabelsOf<Name>, string>>[] = [],
  ): Counter<LabelsOf<Name>> {
    const counter = this.#added(new Counter<LabelsOf<Name>>(this.#settingsOf(name)));
    for (const labels of known) counter.inc(labels, 0);
    return counter;
  }

  gauge<Name extends NamesOf<'gauge'>>(name: Name): Gauge<LabelsOf<Name>> {
    return this.#added(new Gauge<LabelsOf<Name>>(this.#settingsOf(name)));
  }

  histogram<Name extends NamesOf<'histogram'>>(name: Name): Histogram<LabelsOf<Name>> {
    return this.#added(
      new Histogram<LabelsOf<Name>>({ ...this.#settingsOf(name), buckets: [...METRICS[name].buckets] }),
    );
  }

  /** Has something read at each scrape. It must neither throw nor take long. */
  readAtScrape(read: () => Promise<void> | void): void {
    this.#readers.push(read);
  }

  /** All of them as text. */
  async exposition(format: 'prometheus' | 'openmetrics'): Promise<Exposition> {
    await Promise.all(this.#readers.map(async (read) => read()));
    const registry = format === 'openmetrics' ? this.#openMetrics : this.#registry;
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  #settingsOf<Name extends MetricName>(
    name: Name,
  ): { name: Name; help: string; labelNames: LabelsOf<Name>[]; registers: Registry[] } {
    const { help, labels } = METRICS[name];
    const labelNames = [...labels] as LabelsOf<Name>[]; // by the same table
    return { name, help, labelNames, registers: [this.#registry] };
  }

  #added<Metric extends Counter | Gauge | Histogram>(metric: Metric): Metric {
    const view = Object.create(metric) as Metric; // all of it but what is set on it
    this.#openMetrics.registerMetric(view);
    return metric;
  }
}
