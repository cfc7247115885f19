import { METRICS } from '../../src/telemetry/metric-table.js';
import { alertRules } from './alert-rules.js';

/** `deploy/metrics.md` as the code has it. */
export function metricsPage(): string {
  const rows = Object.entries(METRICS).map(([name, metric]) => {
    const labels = metric.labels.map((label) => `\`${label}\``).join(', ');
    const programs = 'everywhere' in metric ? 'both' : 'gateway';
    return `| \`${name}\` | ${metric.type} | ${labels} | ${programs} | ${metric.help} |`;
  });
  return [
    '# Metrics',
    '',
    'With `METRICS_PORT` set, gateway and queue function answer `http://HOST:METRICS_PORT/metrics` and nothing else',
    'there, in the text format of Prometheus, or in OpenMetrics to scrapers that prefer it. Nobody is asked who they are,',
    'so keep the port within your network. No value of a label comes from outside but names of operations, which are',
    'bounded: metrics do not grow with what somebody makes up.',
    '',
    'A histogram `x` has the series `x_bucket`, `x_sum` and `x_count`. The queue and the dependencies are looked at when',
    'somebody scrapes, at most once a second; what does not answer in time is missing from that scrape.',
    '',
    '`npm run readme:tables` makes this page of `src/telemetry/metric-table.ts`.',
    '',
    '| Metric | Type | Labels | Program | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** `deploy/runbook.md` as the alerts have it. */
export function runbookPage(): string {
  const sections = alertRules().flatMap(({ alert, labels, annotations: { meaning, look, act } }) => [
    '',
    `## ${alert}`,
    '',
    `Severity: ${labels['severity'] ?? ''}.`,
    '',
    `**What it means.** ${meaning}`,
    '',
    `**What to look at.** ${look}`,
    '',
    `**What to do.** ${act}`,
  ]);
  return [
    '# Runbook',
    '',
    'What to do when an alert of `alerts.yaml` fires. `critical` wakes somebody, `warning` waits for the morning. Metrics are',
    'explained in `metrics.md`, events of the log in `log-events.md`, the commands of `npm run jobs` in `README.md`.',
    '',
    'First of all: `/health/ready` of a replica names what it cannot use, `gateway_dependency_up` does so for all of them, and',
    '`dependency.failed` in the log says what to change.',
    '',
    '`npm run readme:tables` makes this page of `alerts.yaml`.',
    ...sections,
    '',
  ].join('\n');
}
