import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** An alert of `deploy/alerts.yaml`. */
export interface AlertRule {
  readonly alert: string;
  /** PromQL. */
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The runbook. */
  readonly annotations: Readonly<Record<'summary' | 'description' | 'evidence' | 'remedy' | 'runbook_url', string>>;
}

/** The file with the alerts. */
const ALERTS_FILE = new URL('../../deploy/alerts.yaml', import.meta.url);

/** All alerts, in their order. */
export function alertRules(): readonly AlertRule[] {
  // A test's view of our own file.
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
