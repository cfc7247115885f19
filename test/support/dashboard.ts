import { readFileSync } from 'node:fs';

/** `deploy/dashboard.json`, as far as tests look at it. */
export interface Dashboard {
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string }[] };
  readonly panels: readonly Panel[];
}

/** A part of it. */
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** Reads it. */
export function readDashboard(): Dashboard {
  const text = readFileSync(new URL('../../deploy/dashboard.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Dashboard; // a test's view of our own file
}

/** A query as Grafana sends it, of all instances. */
export function asSent(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
}

/** The queries of a panel, as they are sent. @throws {Error} when there is no such panel */
export function queriesOf(dashboard: Dashboard, title: string): readonly string[] {
  const panel = dashboard.panels.find((each) => each.title === title);
  if (panel?.targets === undefined) throw new Error(`The dashboard has no panel "${title}".`);
  return panel.targets.map(({ expr }) => asSent(expr));
}
