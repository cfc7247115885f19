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
    'With `METRICS_PORT` set, gateway and queue function answer `http://HOST:METRICS_PORT/metrics` and nothing else there,',
    'in the text format of Prometheus, or in OpenMetrics to scrapers that prefer it. The port asks for no login, so keep',
    'it within your network. Names of operations are the only labels that callers choose, and their number is bounded.',
    '',
    'A histogram `x` has the series `x_bucket`, `x_sum` and `x_count`. A scrape looks at the queue and the dependencies,',
    'at most once a second; figures that come too late are missing from it.',
    '',
    '`npm run readme:tables` makes this page from `src/telemetry/metric-table.ts`.',
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
    `**Meaning.** ${meaning}`,
    '',
    `**Look at.** ${look}`,
    '',
    `**Do.** ${act}`,
  ]);
  return [
    '# Runbook',
    '',
    'The remedy for each alert of `alerts.yaml`. `critical` pages the one on call, `warning` waits for the morning.',
    '[metrics.md](metrics.md) explains metrics, [log-events.md](log-events.md) events of the log, and',
    '[README.md](README.md#looking-after-jobs) the commands of `npm run jobs`.',
    '',
    'First of all: `/health/ready` names the dependencies that a replica cannot use, `gateway_dependency_up` does so for all',
    'replicas, and `dependency.failed` in the log says how to repair them.',
    '',
    '`npm run readme:tables` makes this page from `alerts.yaml`.',
    ...sections,
    '',
  ].join('\n');
}
