/** `deploy/dashboard.json` and `deploy/alerts.yaml` name what a running gateway has, and nothing else. */
import { describe, expect, it } from '@jest/globals';
import { METRICS, type MetricName } from '../../src/programs/telemetry/metric-table.js';
import { alertRules } from '../support/alert-rules.js';
import { asSent, readDashboard } from '../support/dashboard.js';
import { Promtool } from '../support/promtool.js';
import { describeWith } from '../support/system-tools.js';

/** Words of the language that are followed by neither a parenthesis nor a brace. */
const WORDS: ReadonlySet<string> = new Set('and or unless bool offset by without on ignoring'.split(' '));

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** Finds the metrics that an expression of PromQL names, and the labels of its matchers, groupings and matchings. */
function namedIn(expr: string) {
  const labels: string[] = [];
  const withoutTexts = expr.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const withoutMatchers = withoutTexts.replaceAll(/\{([^}]*)\}/g, (_all, matchers: string) => {
    labels.push(...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label));
    return '';
  });
  const withoutGroupings = withoutMatchers.replaceAll(GROUPING, (_all, list: string) => {
    labels.push(...list.split(',').flatMap((label) => label.trim() || []));
    return '';
  });
  const rest = withoutGroupings
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\boffset\s+\w+/g, '')
    // Functions and aggregations.
    .replaceAll(/\b\w+\s*(?=\()/g, '');
  const names = [...rest.matchAll(/(?<![\w.$])[a-zA-Z_:][\w:]*/g)].map(([name]) => name);
  return { metrics: [...new Set(names.filter((name) => !WORDS.has(name)))], labels: [...new Set(labels)] };
}

const dashboard = readDashboard();
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) => all.map((target) => ({ title, ...target })));
const queries = [
  ...targets.map(({ title, expr }) => ({ where: `panel "${title}"`, expr })),
  ...dashboard.annotations.list.map(({ expr }) => ({ where: 'annotation', expr })),
  ...alertRules().flatMap(({ alert, expr }) => (expr === 'vector(1)' ? [] : { where: `alert ${alert}`, expr })),
];

/** Made by Prometheus itself and by its blackbox exporter, for each target. */
const OF_PROMETHEUS = {
  metrics: ['up', 'probe_success', 'probe_ssl_earliest_cert_expiry', 'ALERTS'],
  labels: ['instance', 'job', 'le', 'alertname', 'alertstate'],
};

function metricOf(series: string): string {
  const base = series.replace(/_(?:bucket|sum|count)$/, '');
  return Object.hasOwn(METRICS, base) && METRICS[base as MetricName].type === 'histogram' ? base : series;
}

describe('a running gateway, whose metrics are those of the table,', () => {
  it.each(queries)('has every metric that stands in $where, with its labels', ({ expr }) => {
    const { metrics, labels } = namedIn(expr);
    const own = metrics.filter((name) => !OF_PROMETHEUS.metrics.includes(name));
    expect(metrics.length).toBeGreaterThan(0);
    expect(own.filter((name) => !Object.hasOwn(METRICS, metricOf(name)))).toEqual([]);
    const known: readonly string[] = [
      ...OF_PROMETHEUS.labels,
      ...own.flatMap((name): readonly string[] => METRICS[metricOf(name) as MetricName].labels), // it is one of them
    ];
    expect(labels.filter((label) => !known.includes(label))).toEqual([]);
  });
});

describe('the runbook', () => {
  it('names only metrics that exist', () => {
    const advice = alertRules()
      .flatMap(({ annotations }) => Object.values(annotations))
      .join('\n');
    const named = [...advice.matchAll(/\b(?:gateway|http_server|nodejs|v8js|process)_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !Object.hasOwn(METRICS, metricOf(name)))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('shows every metric', () => {
    const shown = new Set(targets.flatMap(({ expr }) => namedIn(expr).metrics.map(metricOf)));
    expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describeWith(['promtool'], 'the queries of the dashboard', () => {
  it('can be read by Prometheus', async () => {
    const promtool = await Promtool.open();
    await promtool.checkExpressions(targets.map(({ expr }) => asSent(expr)));
    await promtool.close();
  });
});
