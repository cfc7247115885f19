import { expect } from '@jest/globals';
import { alertRules } from '../support/alert-rules.js';
import { queriesOf, readDashboard } from '../support/dashboard.js';
import type { TestGateway } from '../support/gateway.js';
import { Promtool, type ExpectedQuery, type MadeSeries } from '../support/promtool.js';
import type { Scrape } from '../support/scraped-metrics.js';
import { waitFor } from '../support/wait-for.js';

type Labels = Readonly<Record<string, string>>;

/** The signs that an operator finds when an alert wakes them. */
export interface Signs {
  /** All dependencies that are shown as down. */
  readonly down: readonly string[];
  /** Alerts that fire; no others that name a cause do. */
  readonly alerts: readonly string[];
  /** Panels in which a line with these labels is above zero. */
  readonly panels: readonly (readonly [title: string, labels: Labels])[];
  /** Events of the log which the runbook of one of the alerts names, and what is said there. */
  readonly log: readonly (readonly [event: string, says: RegExp])[];
  readonly others?: MadeSeries;
}

/** Alerts of which each names another cause. */
const CAUSES = [
  ...['ProgramDown', 'NoGateway', 'BackendApiDown', 'GeoOrVoipApiDown', 'JobStoreDown', 'ObjectStoreDown'],
  ...['ReportLinksFail', 'LogInFails', 'BackendCallBroken', 'JobKindFails', 'BackendCallsSlow', 'DescriptorsUsedUp'],
  'GenuineTokensRefused',
];

const MINUTES = 30;

/** A running gateway as dashboard, alerts and log show it: all there is to find the cause of an outage. */
export class OperatorsView {
  readonly #gateway: TestGateway;
  readonly #promtool: Promtool;
  readonly #dashboard = readDashboard();
  #before: Scrape | undefined;
  #logged = 0;

  private constructor(gateway: TestGateway, promtool: Promtool) {
    this.#gateway = gateway;
    this.#promtool = promtool;
  }

  /** @param gateway one with `METRICS_PORT` */
  static async open(gateway: TestGateway): Promise<OperatorsView> {
    return new OperatorsView(gateway, await Promtool.open());
  }

  /** Begins to look, when all is well. */
  async begin(): Promise<void> {
    this.#before = await waitFor('all to be well', async () => {
      const scraped = await this.#gateway.scrape();
      return downIn(scraped).length === 0 && scraped;
    });
    this.#logged = this.#gateway.logged().length;
  }

  /** Waits for what is down to be shown as that, and fails if anything else is not as it should be. */
  async expectToShow(signs: Signs): Promise<void> {
    const down = signs.down.toSorted();
    const after = await waitFor(`the metrics to show ${down.join(' and ')} as down`, async () => {
      const scraped = await this.#gateway.scrape();
      return downIn(scraped).join() === down.join() && scraped;
    });
    const series = { ...halfAnHour(this.#before, after), ...signs.others };
    const fires = Object.fromEntries([
      ...CAUSES.map((name) => [name, false] as const),
      ...signs.alerts.map((name) => [name, true] as const),
    ]);
    const shown = signs.panels.map(([title, labels]) => this.#isShown(title, labels));
    expect(await this.#promtool.faultsOf({ series, fires, queries: [...this.#dependencies(after), ...shown] })).toBe(
      '',
    );
    for (const [event, says] of signs.log) this.#expectLine(event, says, signs.alerts);
  }

  async close(): Promise<void> {
    await this.#promtool.close();
  }

  #dependencies(after: Scrape): readonly ExpectedQuery[] {
    const samples = after
      .values('gateway_dependency_up', 'dependency')
      .map((dependency) => ({
        labels: `{dependency="${dependency}"}`,
        value: after.value('gateway_dependency_up', { dependency }) ?? 0,
      }));
    return queriesOf(this.#dashboard, 'Dependencies').map((expr) => ({ expr, samples }));
  }

  #isShown(title: string, labels: Labels): ExpectedQuery {
    const lines = queriesOf(this.#dashboard, title).map((expr) => `((${expr}) > 0)`);
    const wanted = Object.entries(labels).reduce(
      (vector, [name, value]) => `label_replace(${vector}, "${name}", "${value}", "", "")`,
      'vector(1)',
    );
    const expr = `count((${lines.join(' or ')}) and on (${Object.keys(labels).join(', ')}) ${wanted}) > bool 0`;
    return { expr, samples: [{ labels: '{}', value: 1 }] };
  }

  #expectLine(event: string, says: RegExp, alerts: readonly string[]): void {
    const advice = alertRules().filter(({ alert }) => alerts.includes(alert));
    expect(advice.filter(({ annotations }) => annotations.evidence.includes(`\`${event}\``))).not.toEqual([]);
    const lines = this.#gateway.logged().slice(this.#logged).split('\n');
    expect(lines.filter((line) => line.includes(`"event":"${event}"`)).join('\n')).toMatch(says);
  }
}

function downIn(scraped: Scrape): readonly string[] {
  const names = scraped.values('gateway_dependency_up', 'dependency');
  return names.filter((dependency) => scraped.value('gateway_dependency_up', { dependency }) === 0).toSorted();
}

/** Half an hour in which counters grow from one scrape to the other, and gauges stay as the other has them. */
function halfAnHour(before: Scrape | undefined, after: Scrape): MadeSeries {
  const made: Record<string, string> = { 'up{job="vehicle-location-gateway",instance="a"}': `1x${MINUTES}` };
  for (const { name, labels, value } of after.samples) {
    const text = Object.entries({ ...labels, instance: 'a' }).map(([label, of]) => `${label}="${of}"`);
    const isGauge = after.types.get(name) === 'gauge';
    const from = isGauge ? value : (before?.value(name, labels) ?? 0);
    made[`${name}{${text.join(',')}}`] = `${from}+${(value - from) / MINUTES}x${MINUTES}`;
  }
  return made;
}
