import { COMMON_METRICS, METRICS } from '../../src/programs/telemetry/metric-table.js';
import { stringify } from 'yaml';
import { alertRules } from './alert-rules.js';

/** `deploy/metrics.md` as the code has it. */
export function metricsPage(): string {
  const rows = Object.entries(METRICS).map(([name, metric]) => {
    const labels = metric.labels.map((label) => `\`${label}\``).join(', ');
    const programs = name in COMMON_METRICS ? 'both' : 'gateway';
    return `| \`${name}\` | ${metric.type} | ${labels} | ${programs} | ${metric.help} |`;
  });
  return [
    '# Metrics',
    '',
    'With `METRICS_PORT` set, the gateway and the queue function answer `http://HOST:METRICS_PORT/metrics`, and nothing',
    'else on that port. The format is the text format of Prometheus. The port requires no log-in, so keep it inside your',
    'network. Callers can choose only the names of operations, and the number of these names is limited.',
    '',
    'A histogram `x` has the series `x_bucket`, `x_sum` and `x_count`. A scrape reads the queue and the dependencies, at',
    'most once a second. If a figure is not available in time, the scrape leaves it out.',
    '',
    '| Metric | Type | Labels | Program | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** `deploy/runbook.md` as the alerts have it. */
export function runbookPage(): string {
  const index = alertRules().map(({ alert, labels, annotations: { summary } }) => {
    const plain = summary.replaceAll(/\{\{ (?:\$labels\.)?\$?(\w+)[^}]*\}\}/g, (_all, name: string) =>
      name.toUpperCase(),
    );
    return `| [${alert}](#${alert.toLowerCase()}) | ${labels['severity'] ?? ''} | ${plain} |`;
  });
  const sections = alertRules().flatMap(({ alert, annotations: { description, evidence, remedy } }) => [
    '',
    `## ${alert}`,
    '',
    `**Description.** ${description}`,
    '',
    `**Evidence.** ${evidence}`,
    '',
    `**Remedy.** ${remedy}`,
  ]);
  return [
    '# Runbook',
    '',
    'This page has the remedy for each alert, for the person on call. A `critical` alert pages the person on call, and a',
    '`warning` waits for the morning. An event in backquotes, such as `dependency.failed`, is one of the log',
    '([log-events.md](log-events.md)); [metrics.md](metrics.md) explains the metrics, and',
    '[README.md](README.md#looking-after-jobs) the commands of `npm run jobs`.',
    '',
    'First look at `/health/ready`, which names the dependencies that a replica cannot use. `gateway_dependency_up` shows',
    'them for all replicas, and `dependency.failed` says how to repair them.',
    '',
    '| Alert | Severity | Sign |',
    '|---|---|---|',
    ...index,
    ...sections,
    '',
  ].join('\n');
}

/** `deploy/kubernetes/monitoring/rules.yaml` as the alerts have it. */
export function prometheusRule(): string {
  const name = 'vehicle-location-gateway';
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name },
    spec: { groups: [{ name, rules: alertRules() }] },
  };
  return `# The alerts of deploy/alerts.yaml for the Prometheus operator; \`npm run readme:tables\` makes this file.\n${stringify(rule, { lineWidth: 120 })}`;
}
