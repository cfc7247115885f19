import { Gauge, Registry, type Counter, type Histogram, type OpenMetricsContentType } from 'prom-client';
import { METRICS, type LabelsOf, type MetricName, type NamesOf } from '../metric-table.js';
import { Counted } from './counted.js';
import { Observed } from './observed.js';

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
  readonly #counters: { show(): void }[] = [];

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
  ): Counted<LabelsOf<Name>> {
    const counted = new Counted<LabelsOf<Name>>(this.#settingsOf(name));
    for (const labels of known) counted.add(0, labels);
    this.#show(counted.metric);
    this.#counters.push(counted);
    return counted;
  }

  gauge<Name extends NamesOf<'gauge'>>(name: Name): Gauge<LabelsOf<Name>> {
    const gauge = new Gauge<LabelsOf<Name>>(this.#settingsOf(name));
    this.#show(gauge);
    return gauge;
  }

  histogram<Name extends NamesOf<'histogram'>>(name: Name): Observed<LabelsOf<Name>> {
    const observed = new Observed<LabelsOf<Name>>({ ...this.#settingsOf(name), buckets: [...METRICS[name].buckets] });
    this.#show(observed.metric);
    return observed;
  }

  /** Has something read at each scrape. It must neither throw nor take long. */
  readAtScrape(read: () => Promise<void> | void): void {
    this.#readers.push(read);
  }

  /** All of them as text. */
  async exposition(format: 'prometheus' | 'openmetrics'): Promise<Exposition> {
    await Promise.all(this.#readers.map(async (read) => read()));
    for (const counter of this.#counters) counter.show();
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

  #show(metric: Counter | Gauge | Histogram): void {
    const view = Object.create(metric) as typeof metric; // all of it but what is set on it
    this.#openMetrics.registerMetric(view);
  }
}
